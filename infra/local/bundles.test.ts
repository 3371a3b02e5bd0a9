import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { functionFolders, functionName } from '../rows.ts';
import { cacheOf, lotSize, nextLot, openBundles } from './bundles.ts';
import { firstFunctions, nextFunctions } from './demo-account.ts';

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

it('of two starts of the same sources at once, the first to end keeps its bundles, and the other goes on and leaves nothing', () => {
  const cache = mkdtempSync(join(tmpdir(), 'bundles-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  for (const start of ['f-1', 'f-2']) {
    mkdirSync(join(cache, start));
    writeFileSync(join(cache, start, 'bundle'), start);
  }
  for (const start of ['f-1', 'f-2']) cacheOf(cache, 'f').keep(join(cache, start));
  expect(readdirSync(cache)).toEqual(['f']);
  expect(readFileSync(join(cache, 'f', 'bundle'), 'utf8')).toBe('f-1');
});

it('after the start, what a caller waits for is bundled first, then what the first email and payment lead to, then the others', () => {
  const rest = functionFolders.filter((does) => !firstFunctions.includes(does)).map(functionName);
  const missing = new Map(rest.map((name) => [name, name]));
  const wanted = new Set(['chores-do-chore']);
  const built = (urgent: readonly string[]) => {
    const lot = nextLot({ urgent: new Set(urgent), wanted, missing });
    for (const name of lot) missing.delete(name);
    return lot;
  };
  expect(built(['docs-show-docs'])).toEqual(['docs-show-docs']);
  expect([...built([]), ...built([])]).toEqual(nextFunctions.map(functionName));
  const others = built([]);
  expect([others[0], others.length]).toEqual(['chores-do-chore', lotSize]);
});
