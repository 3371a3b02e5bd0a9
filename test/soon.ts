/** How long a test waits for what must happen: as long as a busy machine may need, because only a failing test waits to the end. */
export const soon = { timeout: 90_000, interval: 100 };
