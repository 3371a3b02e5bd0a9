import type { Invariant } from './invariants.ts';

export const listInvariants: readonly Invariant[] = [
  {
    name: 'every message is in the lists that ask for it, once, newest first',
    violations: ({ facts }) =>
      facts.flatMap(({ account, messages, traffic, lists }) =>
        lists.flatMap(({ asksFor, fits, ids }) => {
          const all = [...messages.map(({ message }) => message), ...traffic];
          const wanted = all.filter(fits).map(({ id }) => id);
          const [expected, shown] = [wanted.toSorted().toReversed().join(' '), ids.join(' ')];
          return expected === shown ? [] : [`account ${account.ref.id}: ${asksFor} shows ${shown}, not ${expected}`];
        }),
      ),
  },
];
