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
  // The composer of mails with its MIME types, and the numbering plans of all countries.
  'messages-send-message': 2,
  'messages-send-messages': 2,
  'messages-send-scheduled': 1.85,
  'notices-give-notice': 1.95,
  // The numbering plans of all countries.
  'admin-record-inbound': 1.55,
  'chores-do-chore': 1.62,
  'contacts-create-contact': 1.55,
  'contacts-create-contacts': 1.55,
  'contacts-start-import': 1.5,
  'contacts-update-contact': 1.55,
  'messages-preview-message': 1.6,
  'suppressions-create-suppression': 1.5,
  // The description that it serves.
  'docs-get-admin-description': 1.6,
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
