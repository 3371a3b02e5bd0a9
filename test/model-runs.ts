/** Set by `npm run test:long`. */
export const inFull = process.env['MODEL_RUNS'] !== undefined;

/** How many random sequences a model is tried with: `npm run test:long` asks for many more. */
export const modelRuns = (usual: number): number => Number(process.env['MODEL_RUNS'] ?? usual);

/** When a stack is killed in the middle of things: `npm run test:long` tries every moment, otherwise the one in the middle does. */
export const killMoments = <T>(all: readonly T[]): readonly T[] => (inFull ? all : all.slice(1, 2));

/** What the table under a model meets: enough of each that every sequence sees some. */
export const modelFaults = { seed: 1, rates: { lost: 0.05, cut: 0.02, conflict: 0.05, throttled: 0.03 } };
