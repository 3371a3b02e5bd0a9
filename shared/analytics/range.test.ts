import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hourMs } from '../kit/time-units.ts';
import { partsOf, rangeOf } from './range.ts';

const at = (text: string): number => Date.parse(text);
const now = at('2026-11-20T12:34:56.789Z');

it('the default range is the current month up to now', () => {
  expect(rangeOf({}, now)).toEqual({ startMs: at('2026-11-01'), endMs: now });
  expect(rangeOf({ endDate: 5 }, at('2027-01-01'))).toEqual({ startMs: at('2027-01-01'), endMs: 5 });
  expect(rangeOf({ startDate: 5 }, now)).toEqual({ startMs: 5, endMs: now });
});

it('rows are counted only at the ends of a range and in the current hour', () => {
  expect(partsOf({ startMs: at('2026-11-20T08:59:59.999Z'), endMs: at('2026-11-20T11:00:00Z') }, now)).toEqual({
    hours: [{ startMs: at('2026-11-20T09:00Z'), endMs: at('2026-11-20T11:00Z') - 1 }],
    edges: [
      { startMs: at('2026-11-20T09:00Z') - 1, endMs: at('2026-11-20T09:00Z') - 1 },
      { startMs: at('2026-11-20T11:00Z'), endMs: at('2026-11-20T11:00Z') },
    ],
  });
  expect(partsOf({ startMs: at('2026-11-20T09:00Z'), endMs: at('2026-12-31') }, now)).toEqual({
    hours: [{ startMs: at('2026-11-20T09:00Z'), endMs: at('2026-11-20T12:00Z') - 1 }],
    edges: [{ startMs: at('2026-11-20T12:00Z'), endMs: at('2026-12-31') }],
  });
});

it('the count of an hour that has just ended is not used', () => {
  const range = { startMs: at('2026-11-20T09:00Z'), endMs: at('2026-11-20T12:00Z') - 1 };
  expect(partsOf(range, at('2026-11-20T12:00:59.999Z')).edges).toHaveLength(1);
  expect(partsOf(range, at('2026-11-20T12:01Z')).edges).toEqual([]);
});

it('any range is split into whole hours and ends without a gap or an overlap', () => {
  const instant = fc.integer({ min: -3 * hourMs, max: 40 * hourMs });
  fc.assert(
    fc.property(instant, instant, instant, (startMs, endMs, nowMs) => {
      const { hours, edges } = partsOf({ startMs, endMs }, nowMs);
      const parts = [...hours, ...edges].sort((a, b) => a.startMs - b.startMs);
      const isEmpty = Math.max(startMs, 0) > endMs;
      expect([parts[0]?.startMs, parts.at(-1)?.endMs]).toEqual(
        isEmpty ? [undefined, undefined] : [Math.max(startMs, 0), endMs],
      );
      for (const [n, part] of parts.slice(1).entries()) expect(part.startMs).toBe((parts[n]?.endMs ?? 0) + 1);
      for (const part of parts) expect(part.endMs).toBeGreaterThanOrEqual(part.startMs);
      for (const part of hours) expect([part.startMs % hourMs, (part.endMs + 1) % hourMs]).toEqual([0, 0]);
      for (const part of edges)
        if (part.endMs < nowMs - 2 * hourMs) expect(part.endMs - part.startMs).toBeLessThan(2 * hourMs);
    }),
  );
});
