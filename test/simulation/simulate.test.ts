import { beforeAll, expect, it } from 'vitest';
import { openSimulation } from './simulate.ts';

// The product's own handlers, workers and stores, in worlds that are made of a seed. `npm run simulate -- --seed N` shows one of them.

/** `npm run test:long` runs many more. */
const runs = Number(process.env['SIMULATION_RUNS'] ?? 200);

let simulation: Awaited<ReturnType<typeof openSimulation>>;
beforeAll(async () => {
  simulation = await openSimulation();
});

it('a seed gives the same world each time', async () => {
  const traced = async () => {
    const lines: string[] = [];
    await simulation.run(8, { trace: (line) => lines.push(line) });
    return lines;
  };
  const first = await traced();
  expect(first.length).toBeGreaterThan(100);
  expect(await traced()).toEqual(first);
});

it('what must hold holds in every world, whatever fails in it', { timeout: 24 * 3_600_000 }, async () => {
  for (let seed = 1; seed <= runs; seed += 1) {
    const { broken } = await simulation.run(seed);
    expect(broken, `npm run simulate -- --seed ${seed}`).toEqual([]);
  }
});
