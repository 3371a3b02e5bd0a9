/** How many random sequences a model is tried with: `npm run test:long` asks for many more. */
export const modelRuns = (usual: number): number => Number(process.env['MODEL_RUNS'] ?? usual);
