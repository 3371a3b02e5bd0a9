import type { Invariant } from './invariants.ts';
import { disorderIn, missingIn, oddPagesIn, ofWalks, strangersIn } from './reader-lists.ts';
import { readingFolders } from './reader-places.ts';
import { stepsBackIn, unlikeIn } from './reader-things.ts';

export const readerInvariants: readonly Invariant[] = [
  {
    name: 'what a list asks for is on one of its pages, whatever is written meanwhile',
    violations: ofWalks(missingIn),
  },
  { name: 'rows of a list come once, in order', violations: ofWalks(disorderIn) },
  { name: 'a list shows its own rows only, as they were', violations: ofWalks(strangersIn) },
  { name: 'every page but the last is full, and the last one ends the list', violations: ofWalks(oddPagesIn) },
  { name: 'what is read by itself is there, as it was', violations: unlikeIn },
  { name: 'a status that was read is not followed by an earlier one', violations: stepsBackIn },
  {
    name: 'a read changes nothing',
    violations: ({ world }) =>
      world.changes.flatMap(({ after, by, before }) => {
        const { PK } = { ...before, ...after };
        const isCount = String(PK).startsWith('KEY#');
        return by !== undefined && readingFolders.includes(by) && !isCount ? [`${by} changed ${PK}`] : [];
      }),
  },
];
