import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../infra/local/free-port.ts';
import { postgresOf, posting, publishing, startServer, untilUp } from './servers.ts';
import type { Side } from './workload.ts';

interface ConvoyOptions {
  readonly program: string;
  /** Redis or Valkey, which holds its queues. */
  readonly redisProgram: string;
  /** An empty database: without a license an installation has one user, which is made here. */
  readonly databaseUrl: string;
  /** The data directory of the database, to count its processes too. */
  readonly databaseDirectory: string | undefined;
}

/** Far above what is asked, where the default is less. */
const mostASecond = '100000';

/** The open-source Convoy gateway over PostgreSQL, with its queues in a Redis that writes them to its disk each second. */
export const startConvoy =
  ({ program, redisProgram, databaseUrl, databaseDirectory }: ConvoyOptions) =>
  async (endpoint: string): Promise<Side> => {
    const directory = mkdtempSync(join(tmpdir(), 'convoy-'));
    const [redisPort, port, agentPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      ...process.env,
      PORT: `${port}`,
      AGENT_PORT: `${agentPort}`,
      CONVOY_DB_DSN: databaseUrl,
      // Each of two processes: PostgreSQL takes 100 connections unless told otherwise.
      CONVOY_DB_MAX_OPEN_CONN: '40',
      CONVOY_REDIS_HOST: '127.0.0.1',
      CONVOY_REDIS_PORT: `${redisPort}`,
      CONVOY_JWT_SECRET: 'compare',
      CONVOY_JWT_REFRESH_SECRET: 'compare',
      CONVOY_INSTANCE_INGEST_RATE: mostASecond,
      CONVOY_API_RATE_LIMIT: mostASecond,
      // Of an address that is not asked: without any it refuses this machine.
      CONVOY_DISPATCHER_BLOCK_LIST: '192.0.2.0/24',
      CONVOY_DISPATCHER_SKIP_PING_VALIDATION: 'true',
      CONVOY_ANALYTICS_ENABLED: 'false',
    };
    const run = (...options: string[]): string => execFileSync(program, options, { env, encoding: 'utf8' });
    const redisOptions = ['--port', `${redisPort}`, '--dir', directory, '--appendonly', 'yes'];
    const redis = startServer(redisProgram, redisOptions, process.env);
    run('migrate', 'up');
    const person = ['--email', 'a@example.com', '--first-name', 'A', '--last-name', 'B'];
    const made = run('bootstrap', ...person, '--with-api-key', '--format', 'json');
    const fieldIn = (name: string, text: string) => new RegExp(`"${name}": ?"([^"]+)"`).exec(text)?.[1] ?? '';
    const server = startServer(program, ['server'], env);
    await untilUp(server, `http://127.0.0.1:${port}/health`);

    const post = posting(`http://127.0.0.1:${port}/api/v1`, fieldIn('api_key', made));
    const config = {
      ssl: { enforce_secure_endpoints: false },
      ratelimit: { count: Number(mostASecond), duration: 1 },
      strategy: { type: 'linear', duration: 100, retry_count: 10 },
    };
    const project = await post(`/projects?orgID=${fieldIn('organisation_id', made)}`, {
      ...{ name: 'compared', type: 'outgoing' },
      config,
    });
    // After the project: it learns at its start which projects a license allows.
    const agent = startServer(program, ['agent'], env);
    await untilUp(agent, `http://127.0.0.1:${agentPort}/health`);
    const path = `/projects/${/"project":{"uid":"([^"]+)"/.exec(project)?.[1]}`;
    const endpointId = /"uid":"([^"]+)"/.exec(
      await post(`${path}/endpoints`, { url: endpoint, name: 'compared' }),
    )?.[1];
    const filter = { event_types: ['*'] };
    await post(`${path}/subscriptions`, { name: 'compared', endpoint_id: endpointId, filter_config: filter });
    return {
      name: 'Convoy, PostgreSQL, Redis',
      pids: [server.pid, agent.pid, redis.pid, ...postgresOf(databaseDirectory)],
      parts: { PostgreSQL: /postgres/, Redis: /(redis|valkey)-server/, convoy: /convoy/ },
      ...publishing((data) => post(`${path}/events`, { endpoint_id: endpointId, event_type: 'message.sent', data })),
      close: async () => {
        for (const each of [agent, server, redis]) await each.stop();
        rmSync(directory, { recursive: true, force: true });
      },
    };
  };
