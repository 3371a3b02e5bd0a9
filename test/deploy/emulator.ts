import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { freePort } from '../../infra/local/free-port.ts';

/** The release that this was tried with: `pip install ministack==1.5.33`. */
const release = '1.5.33';
const program = process.env['MINISTACK'] || 'ministack';

/** Whether a program can be started. */
export const isInstalled = (name: string): boolean => {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** What is missing on this machine, as one line; undefined when nothing is. */
export const missing = (): string | undefined =>
  isInstalled(program)
    ? undefined
    : `MiniStack is not installed: pip install ministack==${release} (on the PATH, or its file in the variable MINISTACK).`;

export interface Emulator {
  readonly url: string;
  /** The environment in which the AWS CLI, CDK and the SDK call it as an administrator. */
  readonly environment: NodeJS.ProcessEnv;
  /** The settings of a client of the SDK that does so. */
  readonly client: ReturnType<typeof clientFor>;
  stop(): Promise<void>;
}

/** Starts MiniStack with IAM enforced, on a free port, with its state in memory only. `directory`: for its log, and for its files until it stops. */
export const startEmulator = async (directory: string): Promise<Emulator> => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = openSync(join(directory, 'ministack.log'), 'w');
  const TMPDIR = join(directory, 'ministack');
  mkdirSync(TMPDIR);
  const child = spawn(program, [], {
    cwd: directory,
    env: { ...process.env, GATEWAY_PORT: String(port), AUTH: 'true', HOME: directory, TMPDIR },
    stdio: ['ignore', log, log],
  });
  const stop = async () => {
    await end(child);
    // It leaves the code of each function there.
    rmSync(TMPDIR, { recursive: true, force: true });
  };
  const version = await versionAt(url, child);
  if (version !== release) {
    await stop();
    throw new Error(`MiniStack ${version} is installed, and these steps were tried with ${release}.`);
  }
  return { url, stop, environment: environmentFor(url), client: clientFor(url) };
};

/** All mails that it has taken, as JSON. */
export const mailsAt = async ({ url }: Pick<Emulator, 'url'>): Promise<string> =>
  (await fetch(`${url}/_ministack/ses/messages`)).text();

const health = z.object({ version: z.string() });

const region = 'us-east-1';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const clientFor = (endpoint: string) => ({ endpoint, region, credentials });

const environmentFor = (url: string): NodeJS.ProcessEnv => ({
  ...process.env,
  AWS_ENDPOINT_URL: url,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
});

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
};

const versionAt = async (url: string, child: ChildProcess): Promise<string> => {
  for (let tries = 0; tries < 150 && child.exitCode === null; tries += 1) {
    const answer = await fetch(`${url}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return health.parse(await answer.json()).version;
    await pause(400);
  }
  await end(child);
  throw new Error('MiniStack did not start: see ministack.log.');
};
