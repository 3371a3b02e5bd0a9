import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Side } from './workload.ts';

/** Processes of the PostgreSQL server of a data directory. */
export const postgresOf = (directory: string | undefined): number[] =>
  directory === undefined ? [] : [Number(readFileSync(`${directory}/postmaster.pid`, 'utf8').split('\n')[0])];

export const startServer = (program: string, options: readonly string[], env: NodeJS.ProcessEnv) => {
  const server = spawn(program, options, { env, stdio: 'ignore' });
  const exited = once(server, 'exit');
  return {
    pid: server.pid ?? 0,
    hasEnded: (): boolean => server.exitCode !== null,
    stop: async (): Promise<void> => {
      server.kill('SIGTERM');
      await exited;
    },
  };
};

/** Until it answers there. */
export const untilUp = async (server: ReturnType<typeof startServer>, url: string): Promise<void> => {
  const isUp = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (server.hasEnded()) throw new Error(`the server of ${url} has ended`);
    await sleep(100);
  }
};

/** Posts JSON to paths of an API, and gives the text of the answer. */
export const posting =
  (url: string, token: string) =>
  async (path: string, body: object): Promise<string> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };

const mostAtOnce = 20;

/** Events that carry their number, and as much as one of our events. */
export const publishing = (post: (event: object) => Promise<unknown>): Pick<Side, 'publish' | 'numberOf'> => {
  const createdAt = new Date().toISOString();
  const data = { message: { text: 'x'.repeat(700) } };
  return {
    publish: async (from, count) => {
      const open = Array(count).keys();
      const some = async () => {
        for (const n of open) await post({ number: from + n, event: 'message.sent', createdAt, data });
      };
      await Promise.all(Array.from({ length: Math.min(count, mostAtOnce) }, some));
    },
    numberOf: (body) => Number(/"number":(\d+)/.exec(body)?.[1] ?? -1),
  };
};
