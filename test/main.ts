import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { reachOwnAddressesDirectly } from '../infra/local/own-addresses.ts';

// `npm test`: all checks and all tests. The checks use what the tests leave of the processor: tests wait much of their time.

const memoryFolder = '/dev/shm';
const enoughBytes = 4 * 2 ** 30;

/** Databases of tests are lost with the machine either way: where memory is a folder with enough space, none of them waits for a disk. */
const fastestFolder = (): string => {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= enoughBytes ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
};
const folder = mkdtempSync(join(fastestFolder(), 'tests-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

reachOwnAddressesDirectly();

/** This process and what it starts run when others leave the processor to them. */
const giveWay = (pid: number): void => {
  setPriority(pid, constants.priority.PRIORITY_LOW);
  try {
    // A group of its own has a share of its own, on Linux: priorities count within a group only.
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW));
  } catch {
    // Not on this system.
  }
};

// A group of its own: the shell of npm passes no signal on to the check that it runs.
const check = spawn('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
if (check.pid) giveWay(check.pid);
const complaints = Promise.all([text(check.stdout), text(check.stderr)]);

const tests = spawn('vitest', ['run', '--config', 'test/vitest.config.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: folder },
});
const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;
// Both get the signal, and this process ends after them.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    tests.kill(signal);
    if (check.pid && isRunning(check)) process.kill(-check.pid, signal);
  });

const codes = await Promise.all(
  [check, tests].map((child) => once(child, 'close').then(([code]) => code as number | null)),
);
if (codes[0] !== 0) process.stdout.write(`\nnpm run check failed:\n${(await complaints).join('')}\n`);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
