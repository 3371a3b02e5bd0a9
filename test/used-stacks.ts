/** The data directories of the stacks that the tests of this process call. */
export const usedStacks = new Set<string>();

/** Each stops one of the stacks that the tests of this process have started. */
export const stopsOfStacks = new Set<() => Promise<unknown>>();
