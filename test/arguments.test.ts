import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const run = (name: string, args: readonly string[]) => {
  const main = ['--disable-warning=ExperimentalWarning', `test/${name}/main.ts`];
  // As outside of the tests, whose environment changes what some packages do.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawnSync(process.execPath, [...main, ...args], { encoding: 'utf8', env: { PATH, NODE_COMPILE_CACHE } });
};

it.each([
  ['simulation', ['--runs', 'many'], '--runs must be a number, and is many.'],
  ['simulation', ['--runs', '0'], '--runs must be at least 1.'],
  ['simulation', ['--sed', '8'], "Unknown option '--sed'. npm run simulate -- --help shows all options."],
  ['soak', ['long'], 'long is not a number.'],
  ['load', ['nope'], 'No request has nope in its name. The requests are: GET /messages/{id}; '],
  ['bench', ['ceiling'], 'There is no ceiling, but: requests,'],
])('%s with the arguments %s ends with 1 before it measures anything', (name, args, line) => {
  const { status, stdout, stderr } = run(name, args);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^.+\n$/);
  expect(stderr).toContain(line);
});

it('a command that measures says how it is used', () => {
  const { status, stdout, stderr } = run('load', ['--help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^npm run load -- /);
});

it('npm run bench measures figures, which take minutes, only where they are named', () => {
  const { stdout } = run('bench', ['--help']);
  expect(/^Measures (.+),$/m.exec(stdout)?.[1]?.split(', ')).toEqual([
    'requests',
    'texts',
    'webhooks',
    'deliveries',
    'end-to-end',
    'ceilings',
    'growth',
    'imports',
    'analytics',
    'outbox',
  ]);
  expect(stdout).toMatch(/^ {2}figures /m);
});
