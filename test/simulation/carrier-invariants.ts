import type { Route } from './carriers.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';

type MessageFact = AccountFacts['messages'][number];

/** What becomes of a text by what carriers report of it. A report of a try says nothing. */
const expectedAfter = ({ events }: Route): string => {
  if (events.includes('TEXT_CARRIER_BLOCKED')) return 'rejected';
  if (events.includes('TEXT_UNREACHABLE')) return 'failed';
  return events.includes('TEXT_DELIVERED') || events.includes('TEXT_SUCCESSFUL') ? 'delivered' : 'sent';
};

/** For each text that AWS has taken, what it breaks. */
const ofTaken =
  (what: (fact: MessageFact, routes: readonly Route[], judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    judged.facts
      .flatMap(({ messages }) => messages)
      .flatMap((fact) => {
        const routes = judged.carriers?.taken.filter(({ message }) => message === fact.message.id) ?? [];
        const broken = routes.length > 0 && what(fact, routes, judged);
        return broken ? [`${fact.request} (${fact.message.id}): ${broken}`] : [];
      });

export const carrierInvariants: readonly Invariant[] = [
  {
    name: 'AWS is given a text once at most',
    violations: ofTaken((_, routes) => routes.length > 1 && `${routes.length} times`),
  },
  {
    name: 'a text by AWS is what its carrier reports of it, in any order',
    violations: ofTaken(({ message: { status, to, sentAt } }, [route], { carriers }) => {
      const expected = route && expectedAfter(route);
      if (expected !== 'sent' && sentAt === null) return 'it was not sent';
      const stops = carriers?.wishes.filter(({ asks, account }) => asks === 'stop' && account.phone === to) ?? [];
      const isLeft = status === 'unsubscribed' && stops.length > 0;
      return status !== expected && !isLeft && `it is ${status}, and should be ${expected}`;
    }),
  },
  {
    name: 'an answer to a number of AWS counts from when it was published',
    violations: ({ carriers, facts }) =>
      facts.flatMap(({ account, consents }) => {
        const published = carriers?.wishes.filter((wish) => wish.account === account).map(({ fromMs }) => fromMs);
        return consents
          .filter(({ by, at }) => by === 'recipient' && published?.includes(Date.parse(at)) === false)
          .map(({ id, at }) => `${id} counts from ${at}`);
      }),
  },
];
