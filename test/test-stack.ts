import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, inject } from 'vitest';
import * as z from 'zod';
import { jsonOf } from '../shared/kit/json-text.ts';
import { isDescribed, replyMatches } from './openapi-check.ts';
import { stackEnvironment } from './stack-environment.ts';

const stackFile = z.object({
  pid: z.number(),
  apiBaseUrl: z.string(),
  checkoutBaseUrl: z.string(),
  adminBaseUrl: z.string(),
  docsUrl: z.string(),
  inboxUrl: z.string(),
  adminToken: z.string(),
  accountId: z.string(),
  keys: z.object({
    messaging: z.string(),
    checkoutSecretTest: z.string(),
    checkoutSecretLive: z.string(),
    checkoutPublishableTest: z.string(),
    checkoutPublishableLive: z.string(),
  }),
  aws: z.record(z.string(), z.string()),
});

/** API Gateway's own answer, which our description does not cover. */
const isPlatformAnswer = (body: unknown): boolean => z.strictObject({ message: z.string() }).safeParse(body).success;

interface StackWishes {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder of the sources; this checkout by default. */
  readonly checkout?: string;
  /** A directory from `newDataDirectory`, to restart with the same data. */
  readonly dataDirectory?: string;
}

/** The program of `npm start`, in a separate process. */
export const spawnStack = (
  dataDirectory: string,
  { arguments: more = [], environment = {}, checkout = process.cwd() }: StackWishes = {},
): ChildProcess =>
  spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      'infra/local/main.ts',
      '--port',
      '0',
      '--data-dir',
      dataDirectory,
      ...more,
    ],
    { cwd: checkout, env: { ...process.env, ...stackEnvironment, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );

/** A data directory with the assembly and the demo account, so that a start skips synthesizing and seeding. */
export const newDataDirectory = ({ isWatched = false } = {}): string => {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'));
  cpSync(inject('seeded'), directory, { recursive: true });
  writeFileSync(join(directory, 'stack.lock'), '');
  const assembly = join(directory, 'cdk.out');
  // Node compiles a file once for all stacks that load it from the same path. When sources change, the assembly changes too.
  if (isWatched) cpSync(inject('assembly'), assembly, { recursive: true });
  else symlinkSync(inject('assembly'), assembly);
  return directory;
};

/** A copy of the sources that a test may change. */
export const newCheckout = (): string => {
  const checkout = mkdtempSync(join(tmpdir(), 'checkout-'));
  for (const entry of ['infra', 'functions', 'shared', 'cdk.json', 'package.json', 'package-lock.json']) {
    cpSync(entry, join(checkout, entry), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  return checkout;
};

/** Starts the local stack and waits until it is ready. */
export const startTestStack = async (wishes: StackWishes = {}) => {
  const dataDirectory = wishes.dataDirectory ?? newDataDirectory({ isWatched: wishes.checkout !== undefined });
  const child = spawnStack(dataDirectory, wishes);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let output = '';
  const ready = Promise.withResolvers<void>();
  const hear = (text: Buffer): void => {
    output += text.toString();
    if (output.includes('Ready in')) ready.resolve();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  await Promise.race([
    ready.promise,
    exited.then((code) => Promise.reject(new Error(`the stack ended with ${code}: ${output}`))),
  ]);
  const file = stackFile.parse(JSON.parse(readFileSync(join(dataDirectory, 'stack.json'), 'utf8')));

  return {
    file,
    dataDirectory,
    output: () => output,

    /** One call of the messaging API, with the demo key by default. Answers that the description covers must conform to it. */
    api: async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const key = { 'x-api-key': file.keys.messaging };
      const reply = await request(`${file.apiBaseUrl}${path}`, method, { ...key, ...headers }, body);
      if (isDescribed(method, path) && !isPlatformAnswer(reply.body)) {
        expect(replyMatches(method, path, reply.status, reply.body)).toEqual([]);
      }
      return reply;
    },

    admin: (method: string, path: string, body?: unknown) =>
      request(`${file.adminBaseUrl}${path}`, method, { authorization: `Bearer ${file.adminToken}` }, body),

    stop: async (): Promise<number | null> => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    },
    forget: (): void => rmSync(dataDirectory, { recursive: true, force: true }),
  };
};

export type TestStack = Awaited<ReturnType<typeof startTestStack>>;

export const request = async (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
) => {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : jsonOf(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
};
