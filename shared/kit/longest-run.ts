/** Longer than any function runs: what began so long ago has ended, in one way or another. */
export const longestRunMs = 30_000;
