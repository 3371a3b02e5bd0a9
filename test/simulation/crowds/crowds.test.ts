import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inFull } from '../../model-runs.ts';
import { openCrowd } from './crowd.ts';
import { crowds } from './crowds.ts';

// Several runs of the product's own stores at the same items, in every order that a seed makes, with faults at every call.

const runs = inFull ? 20_000 : 20;
const longMs = 24 * 3_600_000;

it.each(crowds)('$name', { timeout: longMs }, async (crowd) => {
  const meet = await openCrowd(crowd);
  for (let seed = 1; seed <= runs; seed += 1) expect(await meet(seed), `seed ${seed}`).toEqual([]);
});

const mistakes = crowds.flatMap((crowd) => crowd.mistakes.map((mistake) => ({ ...mistake, crowd })));

it('each mistake is still possible', () => {
  const gone = mistakes.filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2);
  expect(gone.map(({ name }) => name)).toEqual([]);
});

/** Those that a few seeds find. */
const tried = mistakes.filter(({ isRare }) => inFull || !isRare);

it.each(tried)('finds that the product $name', { timeout: longMs }, async ({ crowd, ...mistake }) => {
  const meet = await openCrowd(crowd, [mistake]);
  let broken: readonly string[] = [];
  for (let seed = 1; broken.length === 0 && seed <= 20_000; seed += 1) broken = await meet(seed);
  expect(broken).not.toEqual([]);
});
