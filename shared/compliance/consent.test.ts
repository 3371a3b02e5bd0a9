import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { iso } from '../kit/time.ts';
import { type ConsentEntry, consentStatuses, overrides, standing } from './consent.ts';

const entry = (id: string, status: ConsentEntry['status'], atMs: number): ConsentEntry => ({
  id,
  channel: 'sms',
  status,
  source: 'keyword',
  text: null,
  by: 'recipient',
  at: iso(atMs),
});

/** Few times, so that many entries share one. */
const entries = fc
  .uniqueArray(fc.record({ id: fc.uuid(), status: fc.constantFrom(...consentStatuses), atMs: fc.nat(5) }), {
    selector: ({ id }) => id,
    maxLength: 12,
  })
  .map((drawn) => drawn.map(({ id, status, atMs }) => entry(id, status, atMs)));

describe('consent', () => {
  it('is the entry with the latest time, in any order of arrival', () => {
    const given = entry('1', 'active', 1_000);
    const stop = entry('2', 'withdrawn', 2_000);
    const again = entry('3', 'active', 3_000);
    expect(standing([given, stop])).toBe(stop);
    expect(standing([stop, given])).toBe(stop);
    expect(standing([again, given, stop])).toBe(again);
    expect(standing([])).toBeUndefined();
  });

  it('is withdrawn by a STOP of the same time', () => {
    const stop = entry('1', 'withdrawn', 1_000);
    const start = entry('2', 'active', 1_000);
    expect(overrides(stop, start)).toBe(true);
    expect(overrides(start, stop)).toBe(false);
  });

  it('does not change when an entry is repeated', () => {
    const stop = entry('1', 'withdrawn', 1_000);
    expect(overrides(stop, stop)).toBe(false);
    expect(overrides(stop, undefined)).toBe(true);
  });

  it('is the same in any order of arrival', () => {
    const shuffled = entries.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(standing(other)).toBe(standing(one));
      }),
    );
  });

  it('is withdrawn unless a newer entry gives consent', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const latest = all
          .map(({ at }) => at)
          .toSorted()
          .at(-1);
        const isWithdrawn = all.some(({ at, status }) => at === latest && status === 'withdrawn');
        if (latest !== undefined) expect(standing(all)?.status).toBe(isWithdrawn ? 'withdrawn' : 'active');
      }),
    );
  });
});
