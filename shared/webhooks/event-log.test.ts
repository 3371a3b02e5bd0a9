import fc from 'fast-check';
import { expect, it } from 'vitest';
import { endsPage, longestTail } from './event-log.ts';

/** How many events several runs add, one run after the other. */
const appends = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: longestTail / 3 });

it('one of the runs that add six events to a tail writes a page, and each run writes one when none has', () => {
  fc.assert(
    fc.property(appends, (added) => {
      let tail = 0;
      const ends = added.filter((count) => {
        tail += count;
        return endsPage(tail, count);
      });
      expect(ends).toHaveLength(Math.floor(tail / 6));
    }),
  );
  fc.assert(fc.property(fc.integer({ min: 1, max: 3 }), (count) => endsPage(longestTail + count, count)));
});
