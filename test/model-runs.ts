/** Set by `npm run test:long`. */
export const inFull = process.env['MODEL_RUNS'] !== undefined;

/** The number of random sequences per model; `npm run test:long` sets many more. */
export const modelRuns = (usual: number): number => Number(process.env['MODEL_RUNS'] ?? usual);

/** The moments to kill a stack at: all with `npm run test:long`, otherwise the second. */
export const killMoments = <T>(all: readonly T[]): readonly T[] => (inFull ? all : all.slice(1, 2));

/** The fault rates of a model's table, high enough that every sequence meets some. */
export const modelFaults = { seed: 1, rates: { lost: 0.05, cut: 0.02, conflict: 0.05, throttled: 0.03 } };

/** What random values are made from. `npm run test:long` takes another seed each day; `FUZZ_SEED` repeats a run. */
export const fuzzSeed = Number(process.env['FUZZ_SEED'] ?? (inFull ? Math.floor(Date.now() / 86_400_000) : 20_261_120));
