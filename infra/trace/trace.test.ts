import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { calledCommand } from '../../test/called-command.ts';
import { bundle } from '../bundle.ts';
import { mapsFile, readMaps } from '../source-maps.ts';
import { traceCommand } from './main.ts';
import { deployedMaps, storedMaps } from './maps.ts';
import { traced } from './trace.ts';

const folder = mkdtempSync(join(tmpdir(), 'trace-'));
const maps = join(folder, mapsFile);
const name = 'public-refuse-unknown-route';
const file = join(folder, name, `${name}.js`);
let frame: string;

beforeAll(async () => {
  await bundle(folder, ['public/refuse-unknown-route'], maps);
  const before = readFileSync(file, 'utf8').split('Messaging is under')[0]?.split('\n') ?? [];
  frame = `    at async a (/var/task/${name}.js:${before.length}:${(before.at(-1)?.length ?? 0) + 1})`;
});
afterAll(() => rmSync(folder, { recursive: true }));

const source = 'functions/public/refuse-unknown-route/handler.ts';

it('a bundle is uploaded without its source map', () => {
  expect(readdirSync(join(folder, name))).toEqual([`${name}.js`]);
  expect(readFileSync(file, 'utf8')).not.toContain('sourceMappingURL');
  expect(Object.keys(readMaps(readFileSync(maps)))).toEqual([name]);
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

it.each(['a', 'a/', 'file://', 'a.js:1'])('a long run of %j is shown as it is within seconds', (part) => {
  const text = part.repeat(4_000);
  const beganMs = performance.now();
  expect(traced(text, () => undefined)).toBe(text);
  expect(performance.now() - beganMs).toBeLessThan(5_000);
});

it('npm run trace makes the maps of the sources when none are named', () => {
  const command = ['--disable-warning=ExperimentalWarning', 'infra/trace/main.ts'];
  const made = spawnSync(process.execPath, command, { encoding: 'utf8', input: frame });
  expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining(source) });
});

const logOf = (text: string): string => {
  const log = join(folder, 'log');
  writeFileSync(log, text);
  return log;
};

it('npm run trace reads the maps that are named, and says in one line why it cannot', async () => {
  const run = (...args: readonly string[]) => calledCommand(traceCommand, args);
  const [log, none] = [logOf(frame), join(folder, 'none')];
  expect(await run(log, '--maps', maps)).toMatchObject({ status: 0, stdout: expect.stringContaining(source) });
  expect(await run(folder)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^\S+ cannot be read: EISDIR.*\n$/),
  });
  expect(await run(log, '--maps', none)).toMatchObject({ status: 1, stderr: `There is no file ${none}.\n` });
  const stderr = expect.stringContaining('has no source maps');
  expect(await run(log, '--maps', file)).toMatchObject({ status: 1, stderr });
});

/** An AWS with the outputs of `prod-front` and the bucket of the CDK; what it is asked for without a signature, it refuses. */
const startAws = async (outputs: string) => {
  const server = createServer(({ method, url, headers }, response) => {
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256')) response.writeHead(403).end();
    else if (method === 'POST') response.end(`<Stacks><member><Outputs>${outputs}</Outputs></member></Stacks>`);
    else if (url === '/cdk-assets/0123.br') response.end(readFileSync(maps));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
};

const outputOf = (place: string): string =>
  `<member><OutputKey>sourcemaps</OutputKey><OutputValue>${place}</OutputValue></member>`;

it('the maps of a stage are those that its deployment has uploaded', async () => {
  await startAws(outputOf('s3://cdk-assets/0123.br'));
  expect(traced(frame, await deployedMaps('prod'))).toContain(source);
});

it.each([
  ['', 'The stack prod-front has no output sourcemaps. Deploy this release first: npm run deploy'],
  [outputOf('s3://cdk-assets/gone.br'), 'cannot be read: s3://cdk-assets/gone.br is answered with 404.'],
])('a stage without maps is refused in one line: %s', async (outputs, line) => {
  await startAws(outputs);
  await expect(deployedMaps('prod')).rejects.toThrow(line);
});

it.each([
  [[], '\\u001b]0;x\\u0007 \\u009b2J\n'],
  [['--json'], '{"text":"\\u001b]0;x\\u0007 \\u009b2J"}\n'],
])('control characters, which a terminal obeys, are shown as JSON writes them %j', async (options, stdout) => {
  const log = logOf('\u001b]0;x\u0007 \u009b2J');
  expect(await calledCommand(traceCommand, [log, '--maps', maps, ...options])).toMatchObject({ status: 0, stdout });
});
