import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { freshStart } from '../fresh-start.ts';
import { StartFailure } from '../start-failure.ts';

const startTimeoutMs = 15_000;
const stopTimeoutMs = 1_000;

// `read` returns when the pipe from this process closes, even after SIGKILL. A separate session, so that Ctrl-C does not reach dynoxide.
const dyingWithUs = 'exec 3<&0; (read -r _ <&3; kill -9 $$) 2>/dev/null & exec "$0" "$@" 3<&- </dev/null';

/** The path of the DynamoDB emulator: from its package, else from the PATH. */
export const findDynoxide = (): string | undefined =>
  packagedDynoxide() ??
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'dynoxide'))
    .find((file) => existsSync(file));

const packagedDynoxide = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
  } catch {
    return undefined;
  }
};

/**
 * Runs dynoxide over the file, on free ports of 127.0.0.1, until it is stopped or this process ends. `onExit` is called when it ends
 * unexpectedly.
 */
export const runDynoxide = async (
  program: string,
  file: string,
  onExit: (line: string) => void,
  withinMs = startTimeoutMs,
) => {
  const [port, mcpPort] = await Promise.all([freePort(), freePort()]);
  const flags = ['--port', `${port}`, '--db-path', file, '--mcp', '--mcp-port', `${mcpPort}`];
  const mcpToken = randomUUID();
  const child = spawn('/bin/sh', ['-c', dyingWithUs, program, 'serve', ...flags], {
    env: { ...process.env, DYNOXIDE_MCP_AUTH_TOKEN: mcpToken },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let lastLine = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line;
  });
  child.once('error', ({ message }) => {
    lastLine = message;
  });
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const mcp = { url: `http://127.0.0.1:${mcpPort}/mcp`, headers: { authorization: `Bearer ${mcpToken}` } };
  if (!(await isUp(child, [url, mcp.url], withinMs))) {
    if (child.signalCode !== null) throw new StartFailure(lostLine(child.signalCode));
    const isRunning = child.exitCode === null;
    child.kill('SIGKILL');
    await ended;
    if (isRunning)
      throw new StartFailure(
        `DynamoDB (dynoxide) runs, but did not answer at ${url} within ${withinMs / 1_000} s. Start again.`,
      );
    const reason = lastLine.replace(/^error: /, '');
    throw new StartFailure(`DynamoDB did not start over ${file} (${reason}): ${freshStart(dirname(file))}`);
  }
  const sent = new Set<NodeJS.Signals | null>();
  const send = (signal: NodeJS.Signals): void => {
    sent.add(signal);
    child.kill(signal);
  };
  // A part that fails because the database is gone may stop it before its end is seen here.
  child.once('close', (code, signal) => {
    const isAsked = sent.size > 0 && (code === 0 || sent.has(signal));
    if (!isAsked) onExit(lostLine(signal ?? `exit code ${code}`));
  });
  const stop = async () => {
    send('SIGTERM');
    const impatience = setTimeout(() => send('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(impatience);
  };
  return { url, mcp, stop };
};

const lostLine = (how: string): string => `DynamoDB (dynoxide) ended unexpectedly (${how}); restart the stack.`;

/** Whether each address answers, with any status, before the process ends or the time is over. Dynoxide opens them one after the other. */
const isUp = async (child: ChildProcess, urls: readonly string[], withinMs: number): Promise<boolean> => {
  for (const over = AbortSignal.timeout(withinMs); !over.aborted; await sleep(10)) {
    if (child.exitCode !== null || child.signalCode !== null) return false;
    if ((await Promise.all(urls.map((url) => answers(url, over)))).every(Boolean)) return true;
  }
  return false;
};

const answers = async (url: string, signal: AbortSignal): Promise<boolean> => {
  try {
    await (await fetch(url, { signal })).body?.cancel();
    return true;
  } catch {
    return false;
  }
};
