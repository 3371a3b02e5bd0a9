/** How long an event and its deliveries are kept. */
const keptMs = 30 * 24 * 60 * 60 * 1_000;

/** What is older counts as deleted, also before TTL removes it. */
export const keptSinceMs = (nowMs: number): number => nowMs - keptMs;

/** When TTL deletes the items of an event of this time. */
export const expiryOf = (eventMs: number): number => Math.ceil((eventMs + keptMs) / 1_000);
