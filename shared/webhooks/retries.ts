import * as z from 'zod';
import { timeOfId } from '../kit/id.ts';
import { hourMs } from '../kit/time-units.ts';

/** Seconds to wait before each attempt after the first, measured from the end of the attempt before. */
export const retryWaits = z
  .string()
  .transform((list) => list.split(',').map(Number))
  .pipe(z.array(z.number().min(0)));

/** How many attempts a delivery has in all. */
export const attemptsWith = (waits: readonly number[]): number => waits.length + 1;

/** When the attempt after the nth is due, in milliseconds since 1970. */
export const nextDueMs = (waits: readonly number[], attempts: number, endedMs: number): number =>
  endedMs + (waits[attempts - 1] ?? 0) * 1_000;

/** How long after its event the last attempt of a delivery is made at most: the waits between, and an hour for the attempts and their queues. */
const retriedForMs = (waits: readonly number[]): number =>
  hourMs + waits.reduce((sum, seconds) => sum + seconds, 0) * 1_000;

interface Called {
  readonly id: string;
  readonly lastSentAt: string | null | undefined;
}

/**
 * When an event happened of which an attempt was made, or was due, at this time. A delivery to a target that hangs waits for hours, so the span begins
 * before the last success.
 */
export const retriedSpan = (waits: readonly number[], { id, lastSentAt }: Called, untilMs: number) => {
  const sentMs = lastSentAt ? Date.parse(lastSentAt) : timeOfId(id);
  return { sinceMs: Math.min(sentMs, untilMs) - retriedForMs(waits), untilMs };
};
