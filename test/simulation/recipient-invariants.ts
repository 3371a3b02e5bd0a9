import { overrides } from '../../shared/compliance/consent.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import { dueTimesOf } from './message-invariants.ts';
import type { Wish } from './recipients.ts';

type ConsentFact = AccountFacts['consents'][number];

/** How far an index may be behind, and how long a text that has been taken may not be marked yet. */
const settledMs = 60_000;
/** A sweep finds what is due within the minute that it begins in. */
const lookAheadMs = 90_000;
/** A platform's clock, a report and a list are of one second. */
const secondMs = 1_000;

const ofAccounts =
  (what: (facts: AccountFacts, wishes: readonly Wish[], judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    judged.recipients === undefined
      ? []
      : judged.facts.flatMap((facts) => {
          // Others have no phone whose recipient answers.
          if (!judged.messaging.accounts.includes(facts.account)) return [];
          const own = judged.recipients?.wishes.filter(({ account }) => account === facts.account) ?? [];
          return what(facts, own, judged).map((broken) => `account ${facts.account.ref.id}: ${broken}`);
        });

/** The last entry by its time; of several at once, a withdrawal. */
const lastOf = (entries: readonly ConsentFact[]): ConsentFact | undefined =>
  entries.reduce<ConsentFact | undefined>((last, entry) => (overrides(entry, last) ? entry : last), undefined);

const isOver = ({ end }: Wish, atMs: number): boolean => end?.isDone === true && end.atMs < atMs;

export const recipientInvariants: readonly Invariant[] = [
  {
    name: 'no text goes to a phone after its STOP, until it may again',
    violations: ofAccounts(({ account, messages }, wishes, { messaging }) =>
      wishes
        .filter(({ asks }) => asks === 'stop')
        .flatMap((stop) => {
          const lifts = wishes.filter(
            (one) => one.asks === 'start' && (one.end?.atMs ?? Number.POSITIVE_INFINITY) >= stop.fromMs,
          );
          const liftedMs = Math.min(...lifts.map(({ fromMs }) => fromMs));
          return messaging.asked
            .filter((one) => one.account === account && one.to === account.phone)
            .flatMap((one) => {
              const beganMs = one.dueMs === undefined ? one.atMs : Math.min(...dueTimesOf(one)) - lookAheadMs;
              const ids = messages.filter(({ request }) => request === one.id).map(({ message }) => message.id);
              const taken = messaging.texts.filter((text) => ids.includes(text.message) && text.atMs < liftedMs);
              return isOver(stop, beganMs) && taken.length > 0 ? [`${one.id} was sent`] : [];
            });
        }),
    ),
  },
  {
    name: 'what a recipient asked for is recorded once, and its last word is the status of the contact',
    violations: ofAccounts(({ contacts, consents, account }, wishes) => {
      const said = consents.filter(({ by }) => by === 'recipient');
      const known = wishes.filter(({ by, end }) => by === 'recipient' && end?.isDone);
      const countOf = (status: string) => said.filter((entry) => entry.status === status).length;
      const [stops, starts] = ['stop', 'start'].map((asks) => known.filter((one) => one.asks === asks).length);
      const status = contacts.kept.find(({ phone }) => phone === account.phone)?.status;
      const expected = lastOf(said)?.status === 'withdrawn' ? 'unsubscribed' : 'active';
      return [
        ...((stops === 0) !== (countOf('withdrawn') === 0) ? [`${stops} STOP, ${countOf('withdrawn')} recorded`] : []),
        ...((starts === 0) !== (countOf('active') === 0) ? [`${starts} START, ${countOf('active')} recorded`] : []),
        ...(status === expected ? [] : [`the contact is ${status}, and should be ${expected}`]),
      ];
    }),
  },
  {
    name: 'an answer by sms is heard at a URL until its overlap with the next is over, and not after that',
    violations: ({ recipients }) =>
      (recipients?.arrivals ?? []).flatMap(({ account, url, fromMs, end }) => {
        if (!end || end.status >= 500) return [];
        const isLate = url.isReplaced && fromMs > url.refusedFromMs;
        const isWrong = (isLate && end.status === 200) || (end.atMs < url.validUntilMs && end.status !== 200);
        return isWrong ? [`account ${account.ref.id}: ${end.status} at ${fromMs} of ${JSON.stringify(url)}`] : [];
      }),
  },
  {
    name: 'a STOP moves the last text before it, and no other',
    violations: ofAccounts(({ account, messages, consents }) => {
      const stops = consents.filter(({ by, status }) => by === 'recipient' && status === 'withdrawn');
      const texts = messages
        .map(({ message }) => message)
        .filter(({ channel, to }) => channel === 'sms' && to === account.phone);
      const moved = texts.filter(({ status }) => status === 'unsubscribed');
      const early = moved.filter(
        ({ createdAt }) => !stops.some(({ at }) => Date.parse(at) + secondMs >= Date.parse(createdAt)),
      );
      const missed = stops.filter(({ at }) => {
        const before = texts.filter(
          ({ sentAt, status }) =>
            sentAt !== null &&
            Date.parse(sentAt) < Date.parse(at) - settledMs &&
            ['sent', 'delivered', 'unsubscribed'].includes(status),
        );
        return before.length > 0 && moved.length === 0;
      });
      return [
        ...(moved.length > stops.length ? [`${moved.length} texts of ${stops.length} STOP are unsubscribed`] : []),
        ...early.map(({ id }) => `${id} came after every STOP`),
        ...missed.map(({ at }) => `the STOP at ${at} moved none`),
      ];
    }),
  },
];
