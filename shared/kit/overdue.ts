const hourMs = 60 * 60 * 1_000;

const hourOf = (timeMs: number): number => Math.floor(timeMs / hourMs);

/**
 * Whether an hourly round brings work back that began then and has not ended: once it is an hour old, then in its 2nd, 4th, 8th, … hour. So what
 * is merely slow is queued again a few times at most, however long it takes, and what was lost is found again.
 */
export const isOverdue = (beganMs: number, roundMs: number): boolean => {
  const hours = hourOf(roundMs) - hourOf(beganMs);
  return roundMs - beganMs >= hourMs && Number.isInteger(Math.log2(hours));
};
