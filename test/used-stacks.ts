/** The data directories of the stacks that the tests of this process call. */
export const usedStacks = new Set<string>();
