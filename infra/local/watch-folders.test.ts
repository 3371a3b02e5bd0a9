import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchFolders } from './watch-folders.ts';

/** A watched folder with one file. `reports` waits until a change of a file is reported. */
const watched = () => {
  const folder = mkdtempSync(join(tmpdir(), 'watched-'));
  const path = (file: string) => join(folder, file);
  mkdirSync(path('inner'));
  writeFileSync(path('inner/handler.ts'), '');
  const changed = new Set<string>();
  const { close } = watchFolders([folder], {
    onChanged: (files) => {
      for (const file of files) changed.add(file);
    },
    onError: (message) => expect.fail(message),
  });
  onTestFinished(() => {
    close();
    rmSync(folder, { recursive: true });
  });
  return {
    path,
    reports: async (file: string) => {
      await vi.waitFor(() => expect(changed).toContain(path(file)), { timeout: 20_000 });
      changed.clear();
    },
  };
};

it('a file is reported each time that another file is renamed over it, and when it is written and deleted', async () => {
  const { path, reports } = watched();
  for (const text of ['first', 'second', 'third']) {
    writeFileSync(path('inner/handler.ts.new'), text);
    renameSync(path('inner/handler.ts.new'), path('inner/handler.ts'));
    await reports('inner/handler.ts');
  }
  writeFileSync(path('inner/handler.ts'), 'fourth');
  await reports('inner/handler.ts');
  rmSync(path('inner/handler.ts'));
  await reports('inner/handler.ts');
});

it('files are reported in folders that are made later, moved in, or made again', async () => {
  const { path, reports } = watched();
  mkdirSync(path('later/deep'), { recursive: true });
  writeFileSync(path('later/deep/at-once.ts'), '');
  await reports('later/deep/at-once.ts');
  writeFileSync(path('later/deep/afterwards.ts'), '');
  await reports('later/deep/afterwards.ts');

  renameSync(path('later'), path('moved'));
  await reports('moved/deep/afterwards.ts');

  rmSync(path('inner'), { recursive: true });
  mkdirSync(path('inner'));
  writeFileSync(path('inner/handler.ts'), '');
  await reports('inner/handler.ts');
  writeFileSync(path('inner/handler.ts'), 'again');
  await reports('inner/handler.ts');
});
