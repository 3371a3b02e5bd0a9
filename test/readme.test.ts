import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../infra/local/free-port.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// Follows the README: runs its blocks unchanged, from top to bottom.

const readme = readFileSync('README.md', 'utf8');
const [guide = ''] = readme.split('\n## The dashboard');
const blocks = [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
  language,
  text,
}));

let stack: SharedStack;
let directory: string;
let port: number;
let receiver: ChildProcess | undefined;
let output = '';
beforeAll(async () => {
  stack = await shareTestStack();
  directory = mkdtempSync(join(tmpdir(), 'reader-'));
  port = await freePort();
});
afterAll(async () => {
  if (receiver?.kill()) await once(receiver, 'exit');
  rmSync(directory, { recursive: true, force: true });
});

/** Values for the README's placeholders, and this stack's addresses instead of the default ones. */
const filledIn = (text: string, secret: string): string => {
  const { file } = stack;
  const values = {
    'http://localhost:3000': file.checkoutBaseUrl,
    // Nothing is sent there: a subscription receives later messages only.
    'https://example.com/hooks': 'http://localhost:9/hooks',
    'http://localhost:4000': `http://localhost:${port}`,
    'mk_…': file.keys.messaging,
    'sk_test_…': file.keys.checkoutSecretTest,
    '<accountId>': file.accountId,
    '<adminToken>': file.adminToken,
    '<secret>': secret,
  };
  return Object.entries(values).reduce((filled, [name, value]) => filled.replaceAll(name, value), text);
};

const run = async (line: string) => JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout).data;

const startServer = async (line: string): Promise<void> => {
  const env = { ...process.env, PORT: String(port) };
  const [, ...words] = line.trim().split(' ');
  receiver = spawn(process.execPath, words, { cwd: directory, env });
  for (const stream of [receiver.stdout, receiver.stderr]) stream?.on('data', (text) => (output += text));
  await vi.waitUntil(() => fetch(`http://localhost:${port}`).catch(() => false), soon);
};

interface PayableSession {
  readonly id: string;
  readonly eligibleMethods: readonly { readonly acceptanceMethodId: string }[];
}

/** Calls the page as the payer's browser does. */
const pay = async ({ id, eligibleMethods: [method] }: PayableSession): Promise<void> => {
  const response = await fetch(`${stack.file.checkoutBaseUrl}/v1/public/checkout-sessions/${id}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ acceptanceMethodId: method?.acceptanceMethodId }),
  });
  expect(response.status).toBe(201);
};

interface Block {
  readonly language: string;
  readonly text: string;
}

let answer: Record<string, unknown> = {};
let secret = '';

/** A reader's action for a block, by its kind; the first match applies. */
const steps: readonly (readonly [kind: string, fits: (block: Block) => boolean, follow: (block: Block) => unknown])[] =
  [
    ['picture', ({ text }) => text.includes('──►'), () => undefined],
    ['command', ({ text }) => text.startsWith('npm '), () => undefined],
    ['file', ({ language }) => language === 'js', ({ text }) => writeFileSync(join(directory, nameOf(text)), text)],
    ['server', ({ text }) => text.startsWith('node '), ({ text }) => startServer(filledIn(text, secret))],
    ['call', ({ text }) => text.startsWith('curl '), ({ text }) => callAs(filledIn(text, secret))],
    ['answer', ({ language }) => language === 'json', ({ text }) => expect(answer).toMatchObject(fieldsOf(text))],
    ['output', () => true, ({ text }) => expect.poll(() => output, soon).toBe(text)],
  ];

/** Its first line names the file. */
const nameOf = (text: string): string => /^\/\/ (\S+\.mjs)\n/.exec(text)?.[1] ?? '';

const callAs = async (line: string): Promise<void> => {
  answer = await run(line);
  // A refusal has no data.
  expect(answer, line).toBeDefined();
  if (typeof answer['secret'] === 'string') secret = answer['secret'];
  if (answer['eligibleMethods']) await pay(answer as unknown as PayableSession);
};

const fieldsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/"(\w+)": "([^"]*)"/g)].flatMap(([, name, value]) => (name === 'id' ? [] : [[name, value]])),
  );

it('the README works block by block: a mail, an sms, a webhook, and a payment that the receiver reports', async () => {
  const kinds: string[] = [];
  for (const block of blocks) {
    const [kind = '', , follow] = steps.find(([, fits]) => fits(block)) ?? [];
    await follow?.(block);
    kinds.push(kind);
  }
  expect(kinds.join(' ')).toBe('picture command call answer call call call file server call output');
});

it('no block of the README returns an older result when it is pasted again', () => {
  expect(blocks.filter(({ text }) => /Idempotency-Key/i.test(text))).toEqual([]);
});
