import type { Invariant, Judged } from './invariants.ts';
import { askedTimesOf } from './message-invariants.ts';
import type { Asked } from './messaging.ts';
import type { Quiet } from './quiet.ts';

const isWithin = ({ fromMs, toMs }: Quiet, atMs: number): boolean => atMs >= fromMs && atMs < toMs;

/** For each text that was asked for of an account with quiet hours, what it breaks. */
const ofTexts =
  (what: (asked: Asked, quiet: Quiet, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    judged.messaging.asked.flatMap((asked) => {
      const { id, to, account } = asked;
      const broken = account.quiet && to.startsWith('+') && what(asked, account.quiet, judged);
      return broken ? [`${id}: ${broken}`] : [];
    });

const messageOf = ({ id, account }: Asked, { facts }: Judged) =>
  facts.find((each) => each.account === account)?.messages.find(({ request }) => request === id)?.message;

const isOfQuietHours = (text: unknown): boolean => /quiet hours/i.test(String(text));

export const quietInvariants: readonly Invariant[] = [
  {
    name: 'a text of quiet hours is given to its provider after them',
    violations: ofTexts((asked, quiet, judged) => {
      const message = messageOf(asked, judged);
      if (!message) return false;
      const times = asked.dueMs === undefined ? [Date.parse(message.createdAt)] : askedTimesOf(asked);
      const taken = judged.messaging.texts.filter(({ message: of, atMs }) => of === message.id && atMs < quiet.toMs);
      return times.every((ms) => isWithin(quiet, ms)) && taken.length > 0 && 'it was given to its provider in them';
    }),
  },
  {
    name: 'quiet hours refuse what is to be sent in them only, and end no text',
    violations: ofTexts((asked, quiet, judged) => {
      const message = messageOf(asked, judged);
      if (isOfQuietHours(message?.failureReason)) return 'it ended because of them';
      const isRefused = asked.answers.some(({ body }) => isOfQuietHours(body?.error?.message));
      return isRefused && (asked.dueMs !== undefined || asked.atMs >= quiet.toMs) && 'it was refused because of them';
    }),
  },
];
