import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { inFull } from './model-runs.ts';

const run = (name: string, args: readonly string[]) => {
  const main = ['--disable-warning=ExperimentalWarning', `test/${name}/main.ts`];
  // As outside of the tests, whose environment changes what some packages do.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawnSync(process.execPath, [...main, ...args], { encoding: 'utf8', env: { PATH, NODE_COMPILE_CACHE } });
};

type Case = readonly [name: string, args: readonly string[], line: string];
const cases: readonly Case[] = [
  ['soak', ['--rate', 'many'], '--rate must be a number, and is many.'],
  ['load', ['nope'], 'No request has nope in its name. The requests are: GET /messages/{id}; '],
  ['bench', ['--rows'], "Unknown option '--rows'. npm run bench -- --help shows all options."],
];
/** For `npm run test:long`: each is a process that loads most of the sources, and all read their command lines in the same place. */
const others: readonly Case[] = [
  ['simulation', ['--runs', '0'], '--runs must be at least 1.'],
  ['soak', ['long'], 'long is not a number.'],
  ['bench', ['ceiling'], 'There is no ceiling, but: requests,'],
];

it.each(inFull ? [...cases, ...others] : cases)(
  '%s with the arguments %s ends with 1 before it measures anything',
  (name, args, line) => {
    const { status, stdout, stderr } = run(name, args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^.+\n$/);
    expect(stderr).toContain(line);
  },
);

it('npm run bench says how it is used, and measures figures, which take minutes, only where they are named', () => {
  const { status, stdout, stderr } = run('bench', ['--help']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^npm run bench -- /);
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
