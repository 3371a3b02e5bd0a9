import { mkdirSync, writeFileSync } from 'node:fs';
import { startWorld, type World } from '../world.ts';
import { benchAnalytics } from './analytics.ts';
import { benchCeilings, spreads } from './ceilings.ts';
import { benchEndToEnd } from './end-to-end.ts';
import { benchFigures, keepFigures } from './figures.ts';
import { benchGrowth, keepGrowth } from './growth.ts';
import { benchImports } from './imports.ts';
import { markdownOf } from './markdown.ts';
import { benchOutbox } from './outbox.ts';
import { benchRequests } from './requests.ts';
import { benchTexts } from './texts.ts';
import { benchDeliveryPace, benchDeliveryUnits } from './webhooks.ts';

// Reports counts and ratios, which do not depend on the machine, and paces and lags, which do; `.local/bench.json` and `.local/bench.md` keep
// them. `npm run bench -- ceilings` runs one part; `npm run bench -- growth 100000` adds that many rows to the accounts; `--write` keeps the
// figures of a part for the documentation.
process.env['LOG_LEVEL'] = 'off';

const wished = process.argv.slice(2).map(Number).filter(Number.isFinite);
const sizes = [500, 2_500, ...wished];
const growthSizes = [1_000, ...wished];
const isKept = process.argv.includes('--write');

const inWorld =
  <Result>(bench: (world: World) => Promise<Result>, hasUpkeep = true) =>
  async (): Promise<Result> => {
    const world = await startWorld({ hasUpkeep });
    try {
      return await bench(world);
    } finally {
      await world.close();
    }
  };

const ceilingRows = async () =>
  Object.entries(await benchCeilings()).map(([operation, ceilings]) => ({
    operation,
    ...Object.fromEntries(
      spreads.map(({ credits, messages }, n) => [`${credits} / ${messages}`, ceilings[n]?.perSecond]),
    ),
    'what gives way first at the last': ceilings.at(-1)?.at,
  }));

interface Part {
  readonly reports: string;
  readonly run: () => Promise<object>;
}

const parts: Readonly<Record<string, Part>> = {
  requests: { reports: 'DynamoDB calls and capacity units per request', run: inWorld(benchRequests) },
  texts: { reports: 'DynamoDB calls and capacity units of an sms after it is accepted', run: inWorld(benchTexts) },
  webhooks: {
    reports: 'DynamoDB calls and write units of the two events of an email to two subscriptions',
    run: inWorld(benchDeliveryUnits),
  },
  deliveries: {
    reports: 'Deliveries a second, which depend on the machine',
    run: inWorld((world) => benchDeliveryPace(world, 300)),
  },
  'end-to-end': {
    reports:
      'Write units of a message with two webhooks on a whole stack, from the request to its last delivery and count',
    run: benchEndToEnd,
  },
  ceilings: {
    reports: 'Operations a second on one account, by its shards of credits / messages, before DynamoDB refuses some',
    run: ceilingRows,
  },
  growth: {
    reports: 'Calls, capacity units and milliseconds of the first page of each list, by the rows of the account',
    run: inWorld((world) => benchGrowth(world, growthSizes, isKept ? { soFar: keepGrowth } : {}), false),
  },
  imports: {
    reports: 'Imports of contacts, by the rows of the file; their pace depends on the machine',
    run: inWorld((world) => benchImports(world, sizes)),
  },
  analytics: {
    reports: 'Capacity units of GET /analytics/messages, and of counting its messages',
    run: inWorld(async (world) => Object.values(await benchAnalytics(world)).flat()),
  },
  outbox: {
    reports: 'Milliseconds from a write to its job in a queue, at 50 changes a second',
    run: inWorld(benchOutbox),
  },
  figures: {
    reports: 'What each operation and each function takes',
    run: async () => {
      const figures = await benchFigures();
      if (isKept) keepFigures(figures);
      return figures;
    },
  },
};

/** The tables of a part's answer: rows, rows by name, or several of these by name. */
const tablesIn = (answer: object): readonly (readonly object[])[] => {
  if (Array.isArray(answer)) return [answer];
  const entries = Object.entries(answer);
  if (entries.every(([, value]) => Array.isArray(value))) return entries.map(([, rows]) => rows);
  return [entries.map(([of, row]) => ({ of, ...(typeof row === 'object' ? row : { is: row }) }))];
};

const words = process.argv.slice(2);
const unknown = words.find((word) => !(word in parts) && word !== '--write' && Number.isNaN(Number(word)));
if (unknown !== undefined) {
  process.stderr.write(`There is no part ${unknown}. The parts are: ${Object.keys(parts).join(', ')}\n`);
  process.exit(1);
}
const named = words.filter((name) => name in parts);
const answers: Record<string, object> = {};
let markdown = '';
for (const name of named.length > 0 ? named : Object.keys(parts)) {
  const part = parts[name];
  if (!part) continue;
  const answer = await part.run();
  answers[name] = answer;
  const section = `## ${part.reports}\n\n${tablesIn(answer).map(markdownOf).join('\n')}\n`;
  process.stdout.write(section);
  markdown += section;
}
mkdirSync('.local', { recursive: true });
writeFileSync('.local/bench.json', `${JSON.stringify(answers, null, 2)}\n`);
writeFileSync('.local/bench.md', markdown);
process.exit(0);
