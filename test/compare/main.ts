import { mkdirSync, writeFileSync } from 'node:fs';
import { markdownOf } from '../bench/markdown.ts';
import { readCommandLine } from '../command-line.ts';
import { startConvoy } from './convoy.ts';
import { startOurs } from './ours.ts';
import { startSvix } from './svix.ts';
import { type Compared, compare, type StartSide } from './workload.ts';

// Webhooks of this product beside those of other servers, on this machine: the same number of events, one endpoint that answers at once, first all
// together and then at a fixed rate.

const help = `npm run compare -- [events]

Delivers so many events together, 600 by default, and then 50 a second, by the local stack and by the servers of Svix and Convoy where they are built.

  --help   Prints this
`;

const { numbers } = readCommandLine({ help, words: [] });
const [burst = 600] = numbers;
const work = { warmUp: 300, burst, perSecond: 50, seconds: 6 };

const { SVIX_SERVER, CONVOY_SERVER, REDIS_SERVER, DATABASE_URL, CONVOY_DATABASE_URL, DATABASE_DIRECTORY } = process.env;
const databaseDirectory = DATABASE_DIRECTORY;
const others: readonly { readonly start: StartSide | undefined; readonly how: string }[] = [
  {
    start:
      SVIX_SERVER && DATABASE_URL
        ? startSvix({ program: SVIX_SERVER, databaseUrl: DATABASE_URL, databaseDirectory })
        : undefined,
    how: 'Svix is left out. Build it (github.com/svix/svix-webhooks, in server: cargo build --release -p svix-server), create an empty PostgreSQL database, and set SVIX_SERVER=<the program>, DATABASE_URL=postgresql://… and, to count its processes, DATABASE_DIRECTORY=<its data>.',
  },
  {
    start:
      CONVOY_SERVER && REDIS_SERVER && CONVOY_DATABASE_URL
        ? startConvoy({
            ...{ program: CONVOY_SERVER, redisProgram: REDIS_SERVER },
            ...{ databaseUrl: CONVOY_DATABASE_URL, databaseDirectory },
          })
        : undefined,
    how: 'Convoy is left out. Build it (github.com/frain-dev/convoy: go build -o convoy ./cmd), create an empty PostgreSQL database for each run, and set CONVOY_SERVER=<the program>, REDIS_SERVER=<redis-server or valkey-server> and CONVOY_DATABASE_URL=postgresql://….',
  },
];
for (const { start, how } of others) if (!start) process.stderr.write(`${how}\n`);

const sides: readonly StartSide[] = [startOurs, ...others.flatMap(({ start }) => start ?? [])];

const compared: (Compared & { readonly name: string })[] = [];
for (const start of sides) compared.push(await compare(start, work));

const rows = compared.map(({ name, perSecond, processorMs, p50Ms, p99Ms, residentMegabytes, ofParts }) => ({
  of: name,
  'events a second': perSecond,
  'processor ms an event': processorMs,
  'lag p50 ms': p50Ms,
  'lag p99 ms': p99Ms,
  'memory MB': residentMegabytes,
  'processor ms by part': Object.entries(ofParts)
    .filter(([, ms]) => ms > 0)
    .map(([part, ms]) => `${part} ${ms}`)
    .join(', '),
}));
const markdown = markdownOf(rows);
process.stdout.write(markdown);
mkdirSync('.local', { recursive: true });
writeFileSync('.local/compare.json', `${JSON.stringify({ work, compared }, null, 2)}\n`);
writeFileSync('.local/compare.md', markdown);
process.exit(0);
