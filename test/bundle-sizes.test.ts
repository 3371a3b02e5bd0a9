import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBlueprint } from '../infra/local/read-blueprint.ts';
import { measuredFigures } from '../shared/docs/figures.ts';
import { bundleSizes } from './bundle-sizes.ts';
import { callsOfLoad } from './loaded.ts';
import { inFull } from './model-runs.ts';
import { assembly } from './testbed.ts';

const outdir = mkdtempSync(join(tmpdir(), 'bundle-sizes-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const { functions } = readBlueprint(assembly);
const bundles = functions.map(({ name, codeDirectory }) => ({ name, file: join(codeDirectory, `${name}.js`) }));
const sizes = await bundleSizes(bundles, outdir);

it('a bundle is smaller than the AWS clients of its calls alone would be', () => {
  const ratios = sizes.map(({ name, bytes, floor }) => ({ name, ratio: bytes / floor.bytes }));
  expect(ratios.length).toBeGreaterThan(100);
  expect(ratios.filter(({ ratio }) => ratio >= 1)).toEqual([]);

  const known = new Map(measuredFigures.functions.map(({ name, kilobytes }) => [name, kilobytes]));
  const risen = sizes.filter(({ name, bytes }) => bytes / 1_000 > 1.02 * (known.get(name) ?? 0) + 1);
  expect(risen, 'larger than in the documentation: npm run bench -- figures --write').toEqual([]);
});

// Calls are counted, because the ratio of processor time, 1.0 to 1.16, is another one on a busy machine. Our calls are shorter.
it.each(['messages-send-message', ...(inFull ? ['messages-preview-message', 'checkout-show-checkout'] : [])])(
  '%s calls at most five times as many functions while it loads as its AWS clients alone',
  (name) => {
    const { file, floor } = sizes.find((each) => each.name === name) ?? expect.fail(name);
    expect(callsOfLoad(file)).toBeLessThanOrEqual(5 * callsOfLoad(floor.file));
  },
);

it('a function loads in at most 1.3 of the processor time of its AWS clients alone, by what was measured last', () => {
  expect(measuredFigures.functions.filter(({ loadRatio }) => loadRatio > 1.3)).toEqual([]);
});
