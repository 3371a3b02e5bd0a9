import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Change, Click, Leavers, Reader } from './leavers.ts';
import { dueTimesOf } from './message-invariants.ts';
import type { Asked } from './messaging.ts';

/** A sweep finds what is due within the minute that it begins in. */
const lookAheadMs = 90_000;
/** What an unsubscription leaves as it is, or what may follow it. */
const lastStatuses: readonly string[] = ['unsubscribed', 'complained', 'bounced', 'failed', 'rejected'];

export interface Time {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Unless its answer says that it was not made. */
const mayBeMade = ({ end }: Change): boolean => end === undefined || end.status < 300 || end.status >= 500;

const timeOf = ({ fromMs, end }: Change | Click): Time => ({ fromMs, toMs: end?.atMs ?? Number.POSITIVE_INFINITY });

/** The addresses that a reader may have had in some time. */
export const emailsOf = (reader: Reader, { changes }: Leavers, { fromMs, toMs }: Time): readonly string[] =>
  changes
    .filter((one) => one.reader === reader && one.asks === 'move' && one.fromMs <= toMs && mayBeMade(one))
    .reduce<readonly string[]>(
      (before, change) => {
        const isSure = change.end !== undefined && change.end.status < 300 && change.end.atMs < fromMs;
        return isSure ? [change.to ?? ''] : before.concat(change.to ?? '');
      },
      reader.emails.slice(0, 1),
    );

/** A button of a mail to a reader that was pressed, and answered. */
interface Exit extends Time {
  readonly email: string;
  /** Whether the address was the reader's all the time. */
  readonly isOfReader: boolean;
}

const exitsOf = (reader: Reader, leavers: Leavers, { messages }: AccountFacts): readonly Exit[] =>
  leavers.clicks
    .filter(({ isForged, end }) => !isForged && end?.status === 200)
    .filter(({ mail }) => messages.some(({ message }) => message.id === mail.message))
    .filter(({ mail }) => reader.emails.includes(mail.to))
    .map((click) => {
      const [time, email] = [timeOf(click), click.mail.to];
      return { ...time, email, isOfReader: emailsOf(reader, leavers, time).every((one) => one === email) };
    });

/** When something that a reader was asked for, or that was recorded, may have begun to lift what an exit did; never, if nothing was. */
const liftedMs = (reader: Reader, { changes }: Leavers, asks: Change['asks'], { fromMs }: Time): number =>
  Math.min(
    ...changes
      .filter((one) => one.reader === reader && one.asks === asks && mayBeMade(one) && timeOf(one).toMs >= fromMs)
      .map((one) => one.fromMs),
  );

const beganMs = (asked: Asked): number =>
  asked.dueMs === undefined ? asked.atMs : Math.min(...dueTimesOf(asked)) - lookAheadMs;

/** For each reader, what it breaks. */
export const ofReaders =
  (what: (reader: Reader, facts: AccountFacts, leavers: Leavers, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] => {
    const { leavers, facts } = judged;
    if (!leavers) return [];
    return leavers.readers.flatMap((reader) => {
      const own = facts.find(({ account }) => account === reader.account);
      return own ? what(reader, own, leavers, judged).map((broken) => `${reader.contact}: ${broken}`) : [];
    });
  };

export const unsubscribeInvariants: readonly Invariant[] = [
  {
    name: 'nothing that was asked for later goes to a recipient who has unsubscribed, until it may again',
    violations: ofReaders((reader, facts, leavers, { messaging }) =>
      exitsOf(reader, leavers, facts).flatMap((exit) => {
        const isBlocked = ({ to }: Asked) => to === exit.email || (to === reader.phone && exit.isOfReader);
        return messaging.asked
          .filter((asked) => asked.account === reader.account && isBlocked(asked) && beganMs(asked) > exit.toMs)
          .filter((asked) => {
            const endMs = liftedMs(reader, leavers, asked.to === reader.phone ? 'agree' : 'activate', exit);
            const ids = facts.messages.filter(({ request }) => request === asked.id).map(({ message }) => message.id);
            const all = [...messaging.mails, ...messaging.texts];
            return all.some(({ message, atMs }) => ids.includes(message) && atMs < endMs);
          })
          .map(({ id, to }) => `${id} was sent to ${to} after the exit from ${exit.email}`);
      }),
    ),
  },
  {
    name: 'who has unsubscribed is recorded as unsubscribed, and nobody else',
    violations: ofReaders((reader, facts, leavers) => {
      const contact = facts.contacts.kept.find(({ id }) => id === reader.contact);
      const clicks = leavers.clicks.filter(({ isForged, mail }) => !isForged && reader.emails.includes(mail.to));
      const leftMs = Date.parse(contact?.unsubscribedAt ?? '');
      const isOwn = clicks.map(timeOf).some(({ fromMs, toMs }) => fromMs <= leftMs && leftMs <= toMs);
      const exits = exitsOf(reader, leavers, facts).filter(
        (exit) => liftedMs(reader, leavers, 'activate', exit) === Number.POSITIVE_INFINITY,
      );
      const isMarked = contact?.status === 'unsubscribed' || contact?.status === 'complained';
      const listed = facts.suppressions.map(({ address }) => address);
      return [
        ...(contact?.hasLeft && !isOwn
          ? [`it unsubscribed at ${contact.unsubscribedAt}, and no button was pressed`]
          : []),
        ...(contact?.status === 'unsubscribed' && !contact.hasLeft
          ? ['it is unsubscribed, and did not ask for it']
          : []),
        ...exits
          .filter(({ isOfReader, fromMs }) => isOfReader && !(isMarked && contact.hasLeft && leftMs >= fromMs))
          .map(({ fromMs }) => `it is ${contact?.status}, and unsubscribed from ${fromMs}`),
        ...exits.filter(({ email }) => !listed.includes(email)).map(({ email }) => `${email} is not on the list`),
      ];
    }),
  },
  {
    name: 'a link unsubscribes from its own message, and no other link does',
    violations: ({ leavers, facts }) =>
      facts
        .flatMap(({ messages }) => messages)
        .filter(({ message }) => message.channel === 'email')
        .flatMap(({ request, message: { id, status } }) => {
          const clicks = (leavers?.clicks ?? []).filter(({ mail, isForged }) => mail.message === id && !isForged);
          if (status === 'unsubscribed' && clicks.length === 0) return [`${request} is unsubscribed`];
          const isLeft = clicks.some(({ end }) => end?.status === 200);
          return isLeft && !lastStatuses.includes(status) ? [`${request} is ${status}`] : [];
        }),
  },
  {
    name: 'every link of a mail works, and no other does',
    violations: ({ leavers }) =>
      (leavers?.clicks ?? []).flatMap(({ mail: { message }, isForged, end }) =>
        end?.status === (isForged ? 404 : 200) ? [] : [`${isForged ? 'forged of ' : ''}${message}: ${end?.status}`],
      ),
  },
];
