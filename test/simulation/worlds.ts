import { expect, it, onTestFinished } from 'vitest';
import { inFull } from '../model-runs.ts';
import { commandOf } from './aims.ts';
import { openSimulation } from './simulate.ts';

/** `npm run test:long` runs many more, and leaves nothing out of them. */
const runs = Number(process.env['SIMULATION_RUNS'] ?? 1_000);
/** Each is a test file of its own, so that they run side by side. */
const parts = 2;

/** Runs the worlds of a part, numbered from 1, and asks what must hold of each. */
export const testWorlds = (part: number): void => {
  const firstOf = (some: number): number => 1 + Math.floor((runs * (some - 1)) / parts);
  const title = `what must hold holds in part ${part} of the worlds, whatever fails in them`;
  it(title, { timeout: 24 * 3_600_000 }, async () => {
    const simulation = await openSimulation();
    const { stackTraceLimit } = Error;
    // Thousands of errors are thrown in the worlds, and the stacks of those take a twelfth of their time.
    Error.stackTraceLimit = 0;
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    for (let seed = firstOf(part); seed < firstOf(part + 1); seed += 1) {
      const wishes = { isSparse: !inFull };
      const { broken } = await simulation.run(seed, wishes);
      expect(broken, commandOf({ seed, aims: [], ...wishes })).toEqual([]);
    }
  });
};
