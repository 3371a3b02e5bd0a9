import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { bundleOptions } from '../../infra/bundle.ts';
import { assemblyFolder } from '../../infra/local/data-directory.ts';
import { stampFile } from '../../infra/local/synth.ts';
import { markdownOf } from '../bench/markdown.ts';
import { endWith, readCommandLine } from '../command-line.ts';
import { outputOfReady, readStackFile, type StackFile, spawnStack } from '../stack-process.ts';
import { type Load, rising } from './arrivals.ts';
import { floorQuestions, type Question, questionNames, questionsOf } from './questions.ts';

// Load with a fixed rate of arrivals on a local stack: the rates rise until the slowest hundredth of the answers takes longer than a quarter of a
// second. Beside it a floor on the same machine: bare functions with the same calls of DynamoDB and SES, in the same gateway.

const mostMs = 250;
const mostWebhookMs = 1_000;
const help = `npm run load -- [parts of names] [seconds]

Finds the most that a local stack answers of each request, or of those whose name has such a part, and how much bare functions do. Each rate is kept
for so many seconds, 6 by default.

  --help   Prints this
`;

const { words: only, numbers } = readCommandLine({ help, words: 'any' });
const [seconds = 6] = numbers;
const unknown = only.find((part) => !questionNames.some((name) => name.includes(part)));
if (unknown !== undefined)
  endWith(`No request has ${unknown} in its name. The requests are: ${questionNames.join('; ')}`);
const environment = { LOG_LEVEL: 'warn', SEND_GIVE_UP_SECONDS: '60', TEXT_GIVE_UP_SECONDS: '900' };

const withStack = async <Result>(
  dataDirectory: string,
  work: (file: StackFile) => Promise<Result>,
): Promise<Result> => {
  const stack = spawnStack(dataDirectory, { arguments: ['--quiet'], environment });
  const exited = once(stack, 'exit');
  await outputOfReady(stack);
  while (!existsSync(join(dataDirectory, assemblyFolder, stampFile))) await sleep(200);
  try {
    return await work(readStackFile(dataDirectory));
  } finally {
    stack.kill('SIGTERM');
    await exited;
  }
};

/** The most that each question can be asked in a second, and how long it took then. */
const measure = async (questions: Readonly<Record<string, Question>>): Promise<Map<string, Load>> => {
  const most = new Map<string, Load>();
  for (const [name, ask] of Object.entries(questions)) {
    if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
    // Functions start, and their code is compiled.
    for (let n = 0; n < 30; n += 1) await ask(n);
    const loads = await rising({ mostMs: name.includes('webhook') ? mostWebhookMs : mostMs, seconds, first: 4 }, ask);
    const best = loads.at(-1);
    process.stderr.write(`${name}: ${best?.perSecond ?? 0} a second\n`);
    if (best) most.set(name, best);
  }
  return most;
};

/** Puts the bare function in the place of those that send and read a message. */
const replaceByFloor = async (dataDirectory: string): Promise<void> => {
  const { entryPoints, outdir, plugins, ...options } = bundleOptions('.');
  for (const name of ['messages-send-message', 'messages-get-message'])
    for (const outfile of globSync(join(dataDirectory, `${assemblyFolder}/asset.*/${name}.js`)))
      await build({ ...options, entryPoints: ['test/load/floor.ts'], outfile, allowOverwrite: true });
};

const root = mkdtempSync(join(tmpdir(), 'load-'));
const [whole, bare] = [join(root, 'whole'), join(root, 'bare')];
mkdirSync(whole);
const product = await withStack(whole, async (file) => measure(await questionsOf(file)));
cpSync(whole, bare, { recursive: true });
await replaceByFloor(bare);
const floor = await withStack(bare, (file) => measure(floorQuestions(file)));
rmSync(root, { recursive: true, force: true });

const rows = [...product].map(([asked, { perSecond, p50Ms, p99Ms }]) => {
  const bareFunction = floor.get(asked)?.perSecond;
  return { asked, perSecond, p50Ms, p99Ms, bareFunction, share: bareFunction && (perSecond / bareFunction).toFixed(2) };
});
const markdown = markdownOf(rows);
process.stdout.write(markdown);
mkdirSync('.local', { recursive: true });
writeFileSync('.local/load.json', `${JSON.stringify(rows, null, 2)}\n`);
writeFileSync('.local/load.md', markdown);
process.exit(0);
