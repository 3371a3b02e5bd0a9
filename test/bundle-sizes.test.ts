import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readBlueprint } from '../infra/local/read-blueprint.ts';
import { measuredFigures } from '../shared/docs/figures.ts';
import { bundleSizes } from './bundle-sizes.ts';
import { assembly } from './testbed.ts';

const outdir = mkdtempSync(join(tmpdir(), 'bundle-sizes-'));
afterAll(() => rmSync(outdir, { recursive: true }));

/** Bytes of a bundle ÷ bytes of its AWS clients alone. */
const most = 1.3;

/** What makes a function larger: its ceiling. */
const larger: Readonly<Record<string, number>> = {
  // The composer of mails, and the reader of phone numbers; their tables lie in files of their own.
  'messages-send-message': 1.31,
  'messages-send-messages': 1.32,
};

it('a bundle is at most 1.3 times its AWS clients alone, but for those that carry data of their own', async () => {
  const { functions } = readBlueprint(assembly, { queueUrl: (name) => name, apiUrl: '' });
  const bundles = functions.map(({ name, codeDirectory }) => ({ name, file: join(codeDirectory, `${name}.js`) }));
  const sizes = await bundleSizes(bundles, outdir);
  const ratios = sizes.map(({ name, bytes, floor }) => ({ name, ratio: bytes / floor.bytes }));
  expect(ratios.length).toBeGreaterThan(100);
  expect(ratios.filter(({ name, ratio }) => ratio > (larger[name] ?? most))).toEqual([]);
  const needless = ratios.filter(({ name, ratio }) => name in larger && ratio <= most);
  expect(needless, 'these need no ceiling of their own').toEqual([]);

  const known = new Map(measuredFigures.functions.map(({ name, kilobytes }) => [name, kilobytes]));
  const risen = sizes.filter(({ name, bytes }) => bytes / 1_000 > 1.02 * (known.get(name) ?? 0) + 1);
  expect(risen, 'larger than in the documentation: npm run bench -- figures --write').toEqual([]);
}, 60_000);
