import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundle } from '../bundle.ts';
import { storedMaps } from './maps.ts';
import { traced } from './trace.ts';

const folder = mkdtempSync(join(tmpdir(), 'trace-'));
const maps = join(folder, 'maps');
const name = 'messages-get-message';
const file = join(folder, name, `${name}.js`);
let frame: string;

beforeAll(async () => {
  await bundle(folder, ['messages/get-message'], maps);
  const before = readFileSync(file, 'utf8').split('No message has this id.')[0]?.split('\n') ?? [];
  frame = `    at async a (/var/task/${name}.js:${before.length}:${(before.at(-1)?.length ?? 0) + 1})`;
});
afterAll(() => rmSync(folder, { recursive: true }));

const source = 'shared/kit/not-found.ts';

it('a bundle is uploaded without its source map', () => {
  expect(readdirSync(join(folder, name))).toEqual([`${name}.js`]);
  expect(readFileSync(file, 'utf8')).not.toContain('sourceMappingURL');
  expect(readdirSync(maps)).toEqual([`${name}.js.map`]);
});

it('the places of a stack are shown in the sources, those of other bundles as they are', () => {
  const other = '    at b (/var/task/messages-list-messages.js:1:5)';
  expect(traced(`Error: x\n${frame}\n${other}`, storedMaps(maps))).toMatch(
    new RegExp(`^Error: x\\n    at async a \\(${source}:\\d+:\\d+\\)\\n.*messages-list-messages.js:1:5\\)$`),
  );
});

it('a line of the log is shown with each frame of its stacks on a line of its own', () => {
  const line = JSON.stringify({ message: 'request failed', cause: { error: 'Error', stack: `${frame}\n${frame}` } });
  const shown = JSON.parse(traced(line, storedMaps(maps)));
  const where = expect.stringMatching(new RegExp(`^at async a \\(${source}:`));
  expect(shown).toEqual({ message: 'request failed', cause: { error: 'Error', stack: [where, where] } });
});

it('npm run trace makes the maps of the sources when none are named', () => {
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'infra/trace/main.ts', ...args], {
      encoding: 'utf8',
      input: frame,
    });
  const stdout = expect.stringContaining(source);
  expect(run()).toMatchObject({ status: 0, stdout });
  expect(run('--maps', maps)).toMatchObject({ status: 0, stdout });
  expect(run(folder)).toMatchObject({ status: 1, stderr: expect.stringMatching(/^\S+ cannot be read: EISDIR.*\n$/) });
  expect(run('--maps', join(folder, 'none'))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no folder'),
  });
});

it.each([
  ['', '\\u001b]0;x\\u0007 \\u009b2J\n'],
  ['--json', '{"text":"\\u001b]0;x\\u0007 \\u009b2J"}\n'],
])('control characters, which a terminal obeys, are shown as JSON writes them %s', (option, stdout) => {
  const args = ['infra/trace/main.ts', '--maps', maps, ...(option === '' ? [] : [option])];
  const shown = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    encoding: 'utf8',
    input: '\u001b]0;x\u0007 \u009b2J',
  });
  expect(shown).toMatchObject({ status: 0, stdout });
});
