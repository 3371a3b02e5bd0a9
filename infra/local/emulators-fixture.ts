import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { soon } from '../../test/soon.ts';

/** An empty directory, deleted when the test ends. */
export const temporaryDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'emulators-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

/** Closes it when the test ends. */
export const closedAfterTest = <Part extends { close(): unknown }>(part: Part): Part => {
  onTestFinished(async () => void (await part.close()));
  return part;
};

/** Runs a module's text in a separate process, and resolves with its first line of output. */
export const runApart = async (moduleText: string): Promise<{ child: ChildProcess; line: string }> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', moduleText], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, line: String(line).trim() };
};

/** Kills a process with SIGKILL. */
export const sigkill = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

/** Waits until the check passes. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { ...soon, interval: 10 });
