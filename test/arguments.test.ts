import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each([
  ['simulation', ['--runs', 'many'], '--runs must be a number, and is many.'],
  ['simulation', ['--seed', 'x'], '--seed must be a number, and is x.'],
  ['soak', ['long'], 'The minutes of traffic must be a number, and is long.'],
  ['bench', ['ceiling'], 'There is no part ceiling. The parts are: requests, '],
])('%s with the arguments %s ends with 1 before it measures anything', (name, args, line) => {
  const main = ['--disable-warning=ExperimentalWarning', `test/${name}/main.ts`];
  // As outside of the tests, whose environment changes what some packages do.
  const { PATH } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...main, ...args], {
    encoding: 'utf8',
    env: { PATH },
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^.+\n$/);
  expect(stderr).toContain(line);
});
