import { hourMs } from './time-units.ts';

const hourOf = (timeMs: number): number => Math.floor(timeMs / hourMs);

/**
 * Whether an hourly round queues unfinished work again: when it is an hour old, then in its 2nd, 4th, 8th, … hour. Lost work is found, and
 * slow work is queued again only a few times.
 */
export const isOverdue = (beganMs: number, roundMs: number): boolean => {
  const hours = hourOf(roundMs) - hourOf(beganMs);
  return roundMs - beganMs >= hourMs && Number.isInteger(Math.log2(hours));
};
