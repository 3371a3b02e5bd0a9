import { expect, it } from 'vitest';
import { newId } from '../kit/id.ts';
import { dayMs } from '../kit/time-units.ts';
import { isQuarantinedBy } from './strikes.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const sendsAt = (...agesMs: number[]) => agesMs.map((ageMs) => newId(nowMs - ageMs));

it('quarantines a contact for three refused sends within 24 hours, and for no fewer', () => {
  expect(isQuarantinedBy(sendsAt(0, 1_000, dayMs - 1), nowMs)).toBe(true);
  expect(isQuarantinedBy(sendsAt(0, 1_000), nowMs)).toBe(false);
});

it('does not count a send from 24 hours ago or before', () => {
  expect(isQuarantinedBy(sendsAt(0, 1_000, dayMs, 2 * dayMs), nowMs)).toBe(false);
});
