import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBundles } from './bundles.ts';

it('a cache that cannot be written ends the bundling before it begins, with one line that names it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'unwritable-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const cache = join(directory, 'file');
  writeFileSync(cache, '');
  const opening = openBundles({
    cache,
    fingerprint: 'f',
    isCurrent: () => true,
    sourcesDirectory: join(directory, 'sources'),
  });
  await expect(opening).rejects.toThrow(`ENOTDIR: not a directory, mkdir '${cache}/f-${process.pid}'`);
});
