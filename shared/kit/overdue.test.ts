import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isOverdue } from './overdue.ts';
import { hourMs } from './time-units.ts';

const began = fc.integer({ min: 0, max: 1_000 * hourMs });

it('work that began less than an hour ago is not overdue', () => {
  fc.assert(
    fc.property(began, fc.integer({ min: -hourMs, max: hourMs - 1 }), (beganMs, ageMs) => {
      expect(isOverdue(beganMs, beganMs + ageMs)).toBe(false);
    }),
  );
});

it('overdue work is found by an hourly round within two hours, and by few rounds in a month', () => {
  fc.assert(
    fc.property(began, fc.integer({ min: 0, max: hourMs - 1 }), (beganMs, minute) => {
      const first = Math.floor(beganMs / hourMs) * hourMs + minute;
      const rounds = Array.from({ length: 30 * 24 }, (_, n) => first + n * hourMs);
      const met = rounds.filter((roundMs) => isOverdue(beganMs, roundMs));
      expect(met[0]).toBeLessThan(beganMs + 2 * hourMs);
      expect(met.length).toBeGreaterThan(8);
      expect(met.length).toBeLessThan(12);
    }),
  );
});
