/** Longer than any function runs: a run whose claim is this old has ended. */
export const claimMs = 30_000;
