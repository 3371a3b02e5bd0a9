import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { freshStart } from './fresh-start.ts';

it('names the data directory, unless it is the default', () => {
  expect(freshStart('.local')).toBe('npm start -- --fresh');
  expect(freshStart(`${process.cwd()}/.local`)).toBe('npm start -- --fresh');
  expect(freshStart('/data/two')).toBe('npm start -- --fresh --data-dir /data/two');
  expect(freshStart('data')).toBe(`npm start -- --fresh --data-dir ${process.cwd()}/data`);
});

it('names a directory with blanks, quotes or variables so that a shell takes it as it is', () => {
  for (const directory of ["/Ada's data", '/$HOME', '/a;b', '/~"`&*\\'])
    expect(execFileSync('sh', ['-c', freshStart(directory).replace('npm start', `printf '%s\n'`)]).toString()).toBe(
      `--\n--fresh\n--data-dir\n${directory}\n`,
    );
});
