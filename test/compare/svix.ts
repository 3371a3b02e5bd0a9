import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Side } from './workload.ts';

/** A port that is free now. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
};

/** Processes of the PostgreSQL server of a data directory. */
const postgresOf = (directory: string | undefined): number[] =>
  directory === undefined ? [] : [Number(readFileSync(`${directory}/postmaster.pid`, 'utf8').split('\n')[0])];

interface SvixOptions {
  readonly program: string;
  readonly databaseUrl: string;
  /** The data directory of the database, to count its processes too. */
  readonly databaseDirectory: string | undefined;
}

/** The open-source Svix server over PostgreSQL, with its own queue in memory. */
export const startSvix =
  ({ program, databaseUrl, databaseDirectory }: SvixOptions) =>
  async (endpoint: string): Promise<Side> => {
    const port = await freePort();
    const env = {
      ...process.env,
      SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}`,
      SVIX_DB_DSN: databaseUrl,
      SVIX_QUEUE_TYPE: 'memory',
      SVIX_CACHE_TYPE: 'memory',
      SVIX_JWT_SECRET: 'compare-compare-compare-compare',
      SVIX_WHITELIST_SUBNETS: '[127.0.0.1/32, ::1/128]',
      SVIX_LOG_LEVEL: 'info',
    };
    const token = /eyJ\S+/.exec(execFileSync(program, ['jwt', 'generate'], { env, encoding: 'utf8' }))?.[0] ?? '';
    const server: ChildProcess = spawn(program, ['--run-migrations'], { env, stdio: 'ignore' });
    const exited = once(server, 'exit');
    const url = `http://127.0.0.1:${port}/api/v1`;
    const isUp = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isUp())) {
      if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}`);
      await sleep(100);
    }
    const post = async (path: string, body: object): Promise<string> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return text;
    };
    const app = /"id":"(app_[^"]+)"/.exec(await post('/app', { name: 'compared' }))?.[1];
    await post(`/app/${app}/endpoint`, { url: endpoint });
    const at = new Date().toISOString();
    const messageOf = (number: number) => ({
      eventType: 'message.sent',
      // As much as one of our events carries.
      payload: { number, event: 'message.sent', createdAt: at, data: { message: { text: 'x'.repeat(700) } } },
    });
    return {
      name: 'Svix server, PostgreSQL',
      pids: [server.pid ?? 0, ...postgresOf(databaseDirectory)],
      parts: { PostgreSQL: /postgres/, 'svix-server': /svix-server/ },
      publish: async (from, count) => {
        const open = Array(count).keys();
        const some = async () => {
          for (const n of open) await post(`/app/${app}/msg`, messageOf(from + n));
        };
        await Promise.all(Array.from({ length: Math.min(count, 20) }, some));
      },
      numberOf: (body) => Number(/"number":(\d+)/.exec(body)?.[1] ?? -1),
      close: async () => {
        server.kill('SIGTERM');
        await exited;
      },
    };
  };
