import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Call, callOf, exampleHost, parseCall } from '../../../shared/docs/code/call.ts';
import { samplesOf } from '../../../shared/docs/code/samples.ts';
import { described } from '../../../test/described.ts';

// Every request that the documentation shows, run in each language that this machine has.

const pages = join(import.meta.dirname, '../../../shared/docs/pages');
const guides = readdirSync(pages).map((file) => readFileSync(join(pages, file), 'utf8'));
const blocksOf = (language: string): string[] =>
  guides.flatMap((text) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code),
  );

/** Characters that one of the languages, or its shell, could read as its own. */
const awkward: Call = {
  method: 'POST',
  url: `${exampleHost}/api/v1/awkward?a=1&b=%20`,
  headers: { 'X-API-Key': 'mk_your_key', 'Content-Type': 'application/json' },
  body: { text: `it's "$HOME" \`id\` \\ \${1}\n % ✓`, list: [], map: {}, none: null, yes: true, 'not a name': 0.5 },
  hasReply: true,
};

let calls: Call[];
let asked: Pick<Call, 'method' | 'url' | 'headers' | 'body'>[] = [];
let url: string;
let directory: string;
beforeAll(async () => {
  calls = [awkward, ...described.endpoints.map(callOf), ...blocksOf('call').map(parseCall)];
  directory = mkdtempSync(join(tmpdir(), 'samples-'));
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = text === '' ? undefined : JSON.parse(text);
    asked.push({ method: request.method ?? '', url: exampleHost + request.url, headers, body });
    response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return () => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true });
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const succeeds = (program: string, ...options: string[]): boolean => spawnSync(program, options).status === 0;

const languages = [
  { language: 'curl', end: 'sh', program: 'sh', isHere: succeeds('curl', '--version') },
  { language: 'Node', end: 'mjs', program: process.execPath, isHere: true },
  { language: 'Python', end: 'py', program: 'python3', isHere: succeeds('python3', '-c', 'import requests') },
  { language: 'PHP', end: 'php', program: 'php', isHere: succeeds('php', '--version') },
] as const;

/** Runs all files of a folder one after the other in one process: a shell collects the words of all calls for one curl. */
const runners: Readonly<Record<(typeof languages)[number]['language'], string>> = {
  curl: `curl() { [ ! -s "$0.words" ] || set -- --next "$@"; printf '%s\\0' "$@" >> "$0.words"; }
for file in "$1"/*.sh; do . "$file" || exit 1; done
xargs -0 -x -s 500000 curl < "$0.words"`,
  Node: `import { readdirSync } from 'node:fs';
for (const file of readdirSync(process.argv[2]).sort()) await import(process.argv[2] + '/' + file);`,
  Python: `import glob, sys
for name in sorted(glob.glob(sys.argv[1] + "/*.py")): exec(open(name).read(), {})`,
  PHP: '<?php foreach (glob($argv[1] . "/*.php") as $file) (function ($file) { require $file; })($file);',
};

describe.each(languages)('$language', ({ language, end, program, isHere }) => {
  it.runIf(isHere)('sends every request of the documentation as it is described', async () => {
    asked = [];
    const folder = join(directory, language);
    mkdirSync(folder);
    for (const [i, call] of calls.entries()) {
      const code = samplesOf(call).find((sample) => sample.language === language)?.code ?? '';
      const isShell = language === 'curl';
      const text = code.replaceAll(exampleHost, url);
      const name = `${String(i).padStart(3, '0')}.${end}`;
      writeFileSync(join(folder, name), isShell ? text.replace(/^curl /, 'curl -sS ') : text);
    }
    const runner = join(directory, `run-${language}.${end}`);
    writeFileSync(runner, runners[language]);
    await promisify(execFile)(program, [runner, folder], { maxBuffer: 10_000_000 });
    expect(asked).toHaveLength(calls.length);
    for (const [i, { method, url: to, headers, body }] of calls.entries()) {
      const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
      expect(asked[i]).toMatchObject({ method, url: to, headers: Object.fromEntries(lowerCase) });
      expect(asked[i]?.body).toEqual(body);
    }
  });
});

/** What a block of JavaScript of a guide exports. */
const exportsOf = async (name: string): Promise<Readonly<Record<string, (...given: unknown[]) => unknown>>> => {
  const code = blocksOf('js').find((block) => block.includes(`export const ${name} =`)) ?? '';
  const file = join(directory, `${name}.mjs`);
  writeFileSync(file, code);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
};

it('the guide of retries repeats what may succeed later, and gives up after five attempts', async () => {
  vi.useFakeTimers();
  const { send } = await exportsOf('send');
  const statuses = [500, 429, 201];
  const fetched = vi.fn(
    async () => new Response('', { status: statuses.shift() ?? 503, headers: { 'Retry-After': '2' } }),
  );
  vi.stubGlobal('fetch', fetched);
  const answer = send?.('https://api.example.com', {});
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await answer).toMatchObject({ status: 201 });
  const refused = send?.('https://api.example.com', {});
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await refused).toMatchObject({ status: 503 });
  expect(fetched).toHaveBeenCalledTimes(3 + 5);
});

it.each([
  [{ code: 'idempotency_conflict' }, 2],
  [{ code: 'conflict' }, 1],
  ['conflict', 1],
])('the guide of retries sends a request that was refused with 409 and %j %i time(s)', async (error, times) => {
  vi.useFakeTimers();
  const { send } = await exportsOf('send');
  const answers = [Response.json({ error }, { status: 409 }), new Response('', { status: 201 })];
  const expected = answers[times - 1];
  const fetched = vi.fn(async () => answers.shift());
  vi.stubGlobal('fetch', fetched);
  const answer = send?.('https://api.example.com', {});
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await answer).toBe(expected);
  expect(fetched).toHaveBeenCalledTimes(times);
});

it.each([
  ['', '?cursor=b'],
  ['?channel=sms', '?channel=sms&cursor=b'],
])('the guide of pagination reads every page of a list, asked with the query "%s"', async (query, next) => {
  const { all } = await exportsOf('all');
  const pagesByPath: Readonly<Record<string, unknown>> = {
    [`/messages${query}`]: { data: [1, 2], pagination: { cursor: 'b', hasMore: true } },
    [`/messages${next}`]: { data: [3], pagination: { cursor: null, hasMore: false } },
  };
  const rows = all?.(async (path: string) => pagesByPath[path], `/messages${query}`) as AsyncIterable<number>;
  expect(await Array.fromAsync(rows)).toEqual([1, 2, 3]);
});

describe('what an interactive zsh reads in another way than bash, in commands of the README and of guides', () => {
  const texts = [readFileSync('README.md', 'utf8'), readFileSync('infra/ARCHITECTURE.md', 'utf8'), ...guides];
  const blocks = texts.flatMap((text) => [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]);
  const commands = blocks.flatMap(([, language = '', block = '']) =>
    /^(|sh|bash)$/.test(language) ? block.split('\n') : [],
  );

  it('none has a comment after it, which would be arguments', () => {
    expect(commands).toContain('npm start');
    expect(commands.filter((line) => /(^|\s)#/.test(line))).toEqual([]);
  });

  it('none has brackets or wildcards without quotes, for which zsh looks for files and runs nothing', () => {
    const unquoted = commands
      .filter((line) => /^\s*(aws|curl|npm|npx|--)/.test(line))
      .map((line) => line.replaceAll(/'[^']*'|"[^"]*"/g, ''));
    expect(unquoted.filter((line) => /[[\]*?]/.test(line))).toEqual([]);
  });
});

it('lines that keep the output of a command in a file silence npm, which prints its own lines before', () => {
  const kept = blocksOf('sh').flatMap((block) => block.match(/^npm run .* > .*$/gm) ?? []);
  expect(kept).toEqual([expect.stringMatching(/^npm run --silent /)]);
});

it('the policy for the data of a person allows to find the bucket of files by its stack, and names the key by its ARN', () => {
  const [policy = ''] = blocksOf('json').filter((block) => block.includes('"Statement"'));
  const actions = JSON.parse(policy).Statement.flatMap(({ Action }: { Action: string | string[] }) => Action);
  expect(actions).toContain('cloudformation:ListStackResources');
  expect(actions).not.toContain('s3:ListAllMyBuckets');
  expect(policy).toContain('"Resource": "<the output masterkeyarn of prod-data>"');
});
