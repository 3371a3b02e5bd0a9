import type { Invariant } from './invariants.ts';

export const listInvariants: readonly Invariant[] = [
  {
    name: 'every message is in the lists that ask for it, once, newest first',
    violations: ({ facts }) =>
      facts.flatMap(({ account, messages, lists }) =>
        lists.flatMap(({ asksFor, fits, ids }) => {
          const wanted = messages.filter(({ message }) => fits(message)).map(({ message }) => message.id);
          const [expected, shown] = [wanted.toSorted().toReversed().join(' '), ids.join(' ')];
          return expected === shown ? [] : [`account ${account.ref.id}: ${asksFor} shows ${shown}, not ${expected}`];
        }),
      ),
  },
];
