import { execFileSync } from 'node:child_process';
import { freePort } from '../../infra/local/free-port.ts';
import { postgresOf, posting, publishing, startServer, untilUp } from './servers.ts';
import type { Side } from './workload.ts';

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
    const server = startServer(program, ['--run-migrations'], env);
    const url = `http://127.0.0.1:${port}/api/v1`;
    await untilUp(server, `${url}/health`);
    const post = posting(url, token);
    const app = /"id":"(app_[^"]+)"/.exec(await post('/app', { name: 'compared' }))?.[1];
    await post(`/app/${app}/endpoint`, { url: endpoint });
    return {
      name: 'Svix server, PostgreSQL',
      pids: [server.pid, ...postgresOf(databaseDirectory)],
      parts: { PostgreSQL: /postgres/, 'svix-server': /svix-server/ },
      ...publishing((event) => post(`/app/${app}/msg`, { eventType: 'message.sent', payload: event })),
      close: server.stop,
    };
  };
