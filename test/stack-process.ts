import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { stackEnvironment } from './stack-environment.ts';

const stackFile = z.object({
  pid: z.number(),
  apiBaseUrl: z.string(),
  checkoutBaseUrl: z.string(),
  adminBaseUrl: z.string(),
  dashboardLoginUrl: z.string(),
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
export type StackFile = z.output<typeof stackFile>;

/** The addresses and keys of a stack that is ready. */
export const readStackFile = (dataDirectory: string): StackFile =>
  stackFile.parse(JSON.parse(readFileSync(join(dataDirectory, 'stack.json'), 'utf8')));

export interface StackOptions {
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder of the sources; this checkout by default. */
  readonly checkout?: string;
}

/** The program of `npm start`, in a separate process. */
export const spawnStack = (
  dataDirectory: string,
  { arguments: more = [], environment = {}, checkout = process.cwd() }: StackOptions = {},
): ChildProcess => {
  const main = ['--disable-warning=ExperimentalWarning', 'infra/local/main.ts'];
  return spawn(process.execPath, [...main, '--port', '0', '--data-dir', dataDirectory, ...more], {
    cwd: checkout,
    env: { ...process.env, ...stackEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};

/**
 * A stack in a separate process, once it is ready.
 * @throws Error with the output, when the stack ends before
 */
export const startStackProcess = async (dataDirectory: string, options: StackOptions = {}) => {
  const stack = spawnStack(dataDirectory, options);
  const exited = once(stack, 'exit').then(([code]) => code as number | null);
  const output = await outputOfReady(stack);
  const endBy = (signal: NodeJS.Signals): Promise<number | null> => {
    stack.kill(signal);
    return exited;
  };
  return {
    file: readStackFile(dataDirectory),
    /** What it has printed so far. */
    output,
    /** Its exit code, once it has ended. */
    exited,
    /** Returns its exit code. */
    stop: () => endBy('SIGTERM'),
    kill: () => endBy('SIGKILL'),
  };
};

/** Runs `npm start` where it must fail. Returns its exit code and output. */
export const failedStart = async (dataDirectory: string, more: readonly string[] = [], checkout = process.cwd()) => {
  const child = spawnStack(dataDirectory, { arguments: more, checkout });
  let output = '';
  child.stderr?.on('data', (text: Buffer) => {
    output += text.toString();
  });
  const [code] = await once(child, 'close');
  return { code, lines: output.trim().split('\n') };
};

const outputOfReady = async (stack: ChildProcess): Promise<() => string> => {
  // Joined when it is asked for: to search a growing text for each line more would copy all before it.
  const output: string[] = [];
  const ready = Promise.withResolvers<void>();
  for (const stream of [stack.stdout, stack.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.push(text);
      if (text.includes('Ready in')) ready.resolve();
    });
  }
  const failed = once(stack, 'exit').then(([code]) => {
    throw new Error(`the stack ended with ${code}: ${output.join('')}`);
  });
  await Promise.race([ready.promise, failed]);
  // The end of a stack that was ready is not a failure.
  failed.catch(() => undefined);
  return () => output.join('');
};

/**
 * Runs a program of Node to its end. This process goes on meanwhile: standing still, it would not see that a server has closed a connection, and
 * would send its next request there.
 */
export const runProgram = (argv: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly status: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const env = { ...process.env, ...environment };
    const child = execFile(process.execPath, argv, { env }, (error, stdout, stderr) =>
      resolve({ status: error ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end();
  });
