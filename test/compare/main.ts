import { mkdirSync, writeFileSync } from 'node:fs';
import { markdownOf } from '../bench/markdown.ts';
import { startOurs } from './ours.ts';
import { startSvix } from './svix.ts';
import { type Compared, compare, type StartSide } from './workload.ts';

// Webhooks of this product beside those of other servers, on this machine: the same number of events, one endpoint that answers at once, first all
// together and then at a fixed rate. `npm run compare -- 1000` sets how many come together.

const burst = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 600);
const work = { warmUp: 300, burst, perSecond: 50, seconds: 6 };

const { SVIX_SERVER: program, DATABASE_URL: databaseUrl, DATABASE_DIRECTORY: databaseDirectory } = process.env;
const isSvixThere = program !== undefined && databaseUrl !== undefined;
if (!isSvixThere)
  process.stderr.write(
    'Svix is left out. Build it (github.com/svix/svix-webhooks, in server: cargo build --release -p svix-server), create an empty PostgreSQL database, and set SVIX_SERVER=<the program>, DATABASE_URL=postgresql://… and, to count its processes, DATABASE_DIRECTORY=<its data>.\n',
  );

const sides: readonly StartSide[] = [
  startOurs,
  ...(isSvixThere ? [startSvix({ program, databaseUrl, databaseDirectory })] : []),
];

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
