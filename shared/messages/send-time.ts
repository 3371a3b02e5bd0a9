import { Fault } from '../kit/fault.ts';

/** A request that says "in a minute" takes a moment to arrive. */
const travelMs = 1_000;
const leastAheadMs = 60_000;
export const mostAheadDays = 30;

/** In samples. A browser that shows one puts a time in its place that is ahead. */
export const exampleSendTime = '2026-11-21T09:00:00+06:00';

/**
 * The time of a scheduled message, in milliseconds since 1970.
 * @throws Fault `invalid_request` unless it is from a minute to 30 days ahead
 */
export const sendTimeIn = (sendAt: number, nowMs: number): number => {
  const aheadMs = sendAt - nowMs;
  if (aheadMs <= leastAheadMs - travelMs || aheadMs > mostAheadDays * 24 * 3_600_000)
    throw new Fault('invalid_request', `sendAt: must be from 1 minute to ${mostAheadDays} days ahead`);
  return sendAt;
};
