import type { Invariant } from './invariants.ts';
import { unansweredIn } from './reader-answers.ts';
import { wrongContactsIn } from './reader-contacts.ts';
import { miscountsIn } from './reader-counts.ts';
import { wrongEventsIn, wrongRowsOfLogsIn } from './reader-events.ts';
import { disorderIn, missingIn, oddPagesIn, ofWalks, strangersIn } from './reader-lists.ts';
import { readingFolders } from './reader-places.ts';
import { wrongTemplatesIn } from './reader-templates.ts';
import { stepsBackIn, unlikeIn } from './reader-things.ts';
import { brokenTimelinesIn } from './reader-timelines.ts';

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
  { name: 'a timeline only grows, in order, and agrees with its message', violations: brokenTimelinesIn },
  { name: 'analytics count what is there, at any time', violations: miscountsIn },
  { name: 'a list of contacts has those that are there, once', violations: wrongContactsIn },
  { name: 'events are read once, in their order, and none is passed by', violations: wrongEventsIn },
  { name: 'logs show the deliveries of their subscription', violations: wrongRowsOfLogsIn },
  { name: 'a template is read until it is archived', violations: wrongTemplatesIn },
  { name: 'a read fails only for a fault, and says when to ask again', violations: unansweredIn },
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
