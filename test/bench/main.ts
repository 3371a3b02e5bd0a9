import { mkdirSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../command-line.ts';
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

// Reports counts and ratios, which do not depend on the machine, and paces and lags, which do.
process.env['LOG_LEVEL'] = 'off';

const inWorld =
  <Result>(bench: (world: World) => Promise<Result>, hasStream = true) =>
  async (): Promise<Result> => {
    const world = await startWorld({ hasStream });
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
  /** It takes minutes: only where it is named. */
  readonly isLong?: true;
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
    run: inWorld((world) => benchDeliveryPace(world, 1_000)),
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
    run: inWorld((world) => benchGrowth(world, [1_000, ...numbers], values.write ? { soFar: keepGrowth } : {}), false),
  },
  imports: {
    reports: 'Imports of contacts, by the rows of the file; their pace depends on the machine',
    run: inWorld((world) => benchImports(world, [500, 2_500, ...numbers])),
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
    reports: 'What each operation and each function takes; takes minutes',
    isLong: true,
    run: async () => {
      const figures = await benchFigures();
      if (values.write) keepFigures(figures);
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

const usual = Object.keys(parts).filter((name) => !parts[name]?.isLong);

const help = `npm run bench -- [parts] [rows]

Measures ${usual.join(', ')},
or the parts that are named, and keeps the tables in .local/bench.md and .local/bench.json. What grows is measured with so many rows too.

${Object.entries(parts)
  .map(([name, { reports }]) => `  ${name.padEnd(12)} ${reports}\n`)
  .join('')}
  --write      Keeps the figures of a part for the documentation
  --help       Prints this
`;

const { values, words, numbers } = readCommandLine({
  help,
  options: { write: { type: 'boolean', default: false } },
  words: Object.keys(parts),
});
const answers: Record<string, object> = {};
let markdown = '';
for (const name of words.length > 0 ? words : usual) {
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
