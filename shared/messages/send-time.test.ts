import { expect, it } from 'vitest';
import { sendTimeIn } from './send-time.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const mostMs = 30 * 24 * 3_600_000;

it('a message is scheduled from exactly a minute to exactly 30 days ahead', () => {
  for (const aheadMs of [60_000, mostMs]) expect(sendTimeIn(nowMs + aheadMs, nowMs)).toBe(nowMs + aheadMs);
  // A second is left for the request to arrive.
  for (const aheadMs of [59_000, mostMs + 1])
    expect(() => sendTimeIn(nowMs + aheadMs, nowMs)).toThrow('sendAt: must be from 1 minute to 30 days ahead');
});
