/**
 * How long a test waits for what must happen: as long as a busy machine may need, because only a failing test waits to the end. The job of a
 * function that was too slow comes back after 150 s.
 */
export const soon = { timeout: 200_000, interval: 100 };

/** For the counts of messages, which follow after ten seconds. */
export const soonCounted = { ...soon, interval: 1_000 };
