import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../shared/kit/id.ts';
import { minuteMs } from '../../shared/kit/time-units.ts';
import { inFull } from '../model-runs.ts';
import { aimOf, aimsOf, aimText, commandOf } from './aims.ts';
import { bundleFunctions } from './bundle-functions.ts';
import { openCoverage } from './coverage.ts';
import { findMistake } from './find-mistake.ts';
import { invariants } from './invariants.ts';
import { mistakes } from './mutations.ts';
import { openSimulation, untilQuiet } from './simulate.ts';
import { smallSizes } from './sizes.ts';
import { type Current, surroundingsOf } from './surroundings.ts';
import { dueQueuesIn } from './sweeps.ts';
import { openWorld } from './world.ts';

// The product's own handlers, workers and stores, in worlds that are made of a seed. `npm run simulate -- --seed N` shows one of them.

const mostSeeds = 10_000;

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

it('payments are swept each minute while calls fail, and later only where something is due', async () => {
  const current: Partial<Current> = {};
  const load = await bundleFunctions(['checkout/work-payments'], smallSizes);
  const code = load(surroundingsOf(current as Current));
  const lines: string[] = [];
  const trace = (line: string) => void lines.push(line);
  const world = openWorld({ seed: 16, without: new Set(), code, current: current as Current, trace });
  const endMs = world.timeline.nowMs() + 15 * minuteMs;
  const quiet = { isScheduling: () => false };
  const reviewers = { isScheduling: () => world.timeline.nowMs() < endMs };
  await untilQuiet(world, { messaging: quiet, checkout: quiet, reviewers });
  expect(lines.filter((line) => /^checkout\/work-payments#\d+ begins$/.test(line))).toHaveLength(10);
});

it('a sweep has something to find from the minute on in which a row is due', () => {
  const dueMs = Date.parse('2026-03-02T09:00:00Z');
  const rows = ['payment', 'due-message', 'delivery'].map((entity, n) => ({
    entity,
    GSI1SK: newId(dueMs + n * minuteMs),
  }));
  const dueAt = (nowMs: number) => dueQueuesIn({ table: { all: () => rows }, timeline: { nowMs: () => nowMs } });
  expect(dueAt(dueMs - 1)).toEqual(new Set());
  expect(dueAt(dueMs)).toEqual(new Set(['payments']));
  expect(dueAt(dueMs + 3 * minuteMs)).toEqual(new Set(['payments', 'scheduled']));
});

it('every invariant has a mistake that breaks it, and each mistake is still possible', () => {
  const broken = new Set(mistakes.flatMap(({ breaks }) => breaks));
  // No mistake of the product keeps a client of the simulation without an answer.
  const others = invariants.map(({ name }) => name).filter((name) => name !== 'a client is answered');
  expect(others.filter((name) => !broken.has(name))).toEqual([]);
  const gone = mistakes.filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2);
  expect(gone.map(({ name }) => name)).toEqual([]);
});

it('every planted mistake is code that can be built', async () => {
  const built = mistakes.map(async ({ name, file, find, replace }) => {
    const text = readFileSync(file, 'utf8').replace(find, () => replace);
    return transform(text, { loader: 'ts', logLevel: 'silent' }).then(
      () => undefined,
      () => name,
    );
  });
  expect((await Promise.all(built)).filter((name) => name !== undefined)).toEqual([]);
});

/** Some of those that the first worlds find. */
const quick = ['gives nothing back', 'bounces are no events', 'third attempt', 'two contacts'];
const tried = mistakes.filter(({ name }) => inFull || quick.some((part) => name.includes(part)));

it.each(tried)('finds the mistake that $name', { timeout: 24 * 3_600_000 }, async (mistake) => {
  const { invariants: found = [] } = (await findMistake(mistake, mostSeeds)) ?? {};
  expect(mistake.breaks).toEqual(expect.arrayContaining(found.slice(0, 1)));
});

it('a fault that is aimed at a call comes to it, in any world that has the call', async () => {
  const aim = { place: 'messages/send-message | SendRawEmail', trouble: 'killedAfter' } as const;
  expect(aimOf(aimText(aim))).toEqual(aim);
  const { faults, broken } = await simulation.run(4, { aims: [aim] });
  expect(faults.filter((fault) => fault.endsWith('aimed'))).toEqual([
    expect.stringMatching(/^messages\/send-message#\d+ \d+ SendRawEmail killedAfter, aimed$/),
  ]);
  expect(broken).toEqual([]);
});

it('a place that only an aimed fault leads to is aimed at next, with the fault that leads there', () => {
  const coverage = openCoverage();
  coverage.note({ seed: 1, aims: [] }, 'f | Get', 'keys', 'before');
  const aimed = aimsOf(coverage, 1);
  const first = aimed.next().value;
  expect(first).toMatchObject({ seed: 1, aims: [{ place: 'f | Get' }] });
  if (first) coverage.note(first, 'f | Put', 'keys', undefined);
  const later = [...aimed].filter(({ aims }) => aims.at(-1)?.place === 'f | Put');
  expect(later.length).toBeGreaterThan(0);
  expect(later.every(({ seed, aims }) => seed === 1 && aims[0] === first?.aims[0])).toBe(true);
});

it.runIf(inFull)('what must hold holds under each fault at each place', { timeout: 24 * 3_600_000 }, async () => {
  const coverage = openCoverage();
  const { run } = await openSimulation([], coverage);
  for (let seed = 1; seed <= 1_000; seed += 1) await run(seed);
  for (const aimed of aimsOf(coverage, 1)) {
    const { broken } = await run(aimed.seed, aimed);
    expect(broken, commandOf(aimed)).toEqual([]);
  }
  const spared = coverage.rows().filter(([, { before, after }]) => !(before && after));
  expect(spared).toEqual([]);
});
