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
import { usageOf } from '../compare/processes.ts';
import { type StackFile, startStackProcess } from '../stack-process.ts';
import { type Load, rising } from './arrivals.ts';
import { answering, floorQuestions, type Question, questionsOf } from './questions.ts';

// Load with a fixed rate of arrivals on a local stack: the rates rise until the slowest hundredth of the answers takes longer than a quarter of a
// second. Beside it a floor on the same machine: bare functions with the same calls of DynamoDB and SES, in the same gateway.

const mostMs = 250;
const mostWebhookMs = 1_000;
const help = `npm run load -- [parts of names] [seconds]

Finds the most that a local stack answers of each request, or of those whose name has such a part, and how much bare functions do, each with the
processor time of the functions that answer. Each rate is kept for so many seconds, 6 by default.

  --help   Prints this
`;

const { words: only, numbers } = readCommandLine({ help, words: 'any' });
const [seconds = 6] = numbers;
const patterns = new Map<string, RegExp>(Object.entries(answering));
const questionNames = [...patterns.keys()];
const unknown = only.find((part) => !questionNames.some((name) => name.includes(part)));
if (unknown !== undefined)
  endWith(`No request has ${unknown} in its name. The requests are: ${questionNames.join('; ')}`);
const environment = { LOG_LEVEL: 'warn', SEND_GIVE_UP_SECONDS: '60', TEXT_GIVE_UP_SECONDS: '900' };

const withStack = async <Result>(
  dataDirectory: string,
  work: (file: StackFile) => Promise<Result>,
): Promise<Result> => {
  const stack = await startStackProcess(dataDirectory, { arguments: ['--quiet'], environment });
  while (!existsSync(join(dataDirectory, assemblyFolder, stampFile))) await sleep(200);
  try {
    return await work(stack.file);
  } finally {
    await stack.stop();
  }
};

/** The processor time so far of the functions of a stack that answer a question. */
const usedBy = (stack: StackFile, question: string) => (): number => {
  const answers = patterns.get(question);
  return (answers && usageOf([stack.pid], { answers }).get('answers')?.processorMs) ?? 0;
};

/** The most that each question can be asked in a second, and what it took then. */
const measure = async (stack: StackFile, questions: Readonly<Record<string, Question>>): Promise<Map<string, Load>> => {
  const most = new Map<string, Load>();
  for (const [name, ask] of Object.entries(questions)) {
    if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
    // Functions start, and their code is compiled.
    for (let n = 0; n < 30; n += 1) await ask(n);
    const limit = { mostMs: name.includes('webhook') ? mostWebhookMs : mostMs, seconds, first: 4 };
    const loads = await rising({ ...limit, usedMs: usedBy(stack, name) }, ask);
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
const product = await withStack(whole, async (file) => measure(file, await questionsOf(file)));
cpSync(whole, bare, { recursive: true });
await replaceByFloor(bare);
const floor = await withStack(bare, (file) => measure(file, floorQuestions(file)));
rmSync(root, { recursive: true, force: true });

const shown = ({ processorMs }: Load): string => (processorMs > 0 ? processorMs.toFixed(1) : '');

const rows = [...product].map(([asked, load]) => {
  const { perSecond, p50Ms, p99Ms } = load;
  const bareLoad = floor.get(asked);
  return {
    ...{ asked, perSecond, p50Ms, p99Ms, processorMs: shown(load) },
    bareFunction: bareLoad?.perSecond,
    share: bareLoad && (perSecond / bareLoad.perSecond).toFixed(2),
    bareProcessorMs: bareLoad && shown(bareLoad),
  };
});
const markdown = markdownOf(rows);
process.stdout.write(markdown);
mkdirSync('.local', { recursive: true });
writeFileSync('.local/load.json', `${JSON.stringify(rows, null, 2)}\n`);
writeFileSync('.local/load.md', markdown);
process.exit(0);
