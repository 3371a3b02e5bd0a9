import { mkdirSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../command-line.ts';
import { markdownOf } from './markdown.ts';
import type { measures as allMeasures, Measure } from './measures.ts';

// Reports counts and ratios, which do not depend on the machine, and paces and lags, which do.
process.env['LOG_LEVEL'] = 'off';

interface Part {
  readonly reports: string;
  /** It takes minutes: only where it is named. */
  readonly isLong?: true;
}

const parts: Readonly<Record<string, Part>> = {
  requests: { reports: 'DynamoDB calls and capacity units per request' },
  texts: { reports: 'DynamoDB calls and capacity units of an sms after it is accepted' },
  webhooks: { reports: 'DynamoDB calls and write units of the two events of an email to two subscriptions' },
  deliveries: { reports: 'Deliveries a second, which depend on the machine' },
  'end-to-end': {
    reports:
      'Write units of a message with two webhooks on a whole stack, from the request to its last delivery and count',
  },
  ceilings: {
    reports: 'Operations a second on one account, by its shards of credits / messages, before DynamoDB refuses some',
  },
  growth: {
    reports: 'Calls, capacity units and milliseconds of the first page of each list, by the rows of the account',
  },
  imports: { reports: 'Imports of contacts, by the rows of the file; their pace depends on the machine' },
  analytics: { reports: 'Capacity units of GET /analytics/messages, and of counting its messages' },
  outbox: { reports: 'Milliseconds from a write to its job in a queue, at 50 changes a second' },
  figures: { reports: 'What each operation and each function takes; takes minutes', isLong: true },
} satisfies Record<keyof typeof allMeasures, Part>;

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
// Two seconds to load: neither help nor a mistake in the command line waits for it.
const { measures }: { readonly measures: Readonly<Record<string, Measure>> } = await import('./measures.ts');
const answers: Record<string, object> = {};
let markdown = '';
for (const name of words.length > 0 ? words : usual) {
  const [part, measure] = [parts[name], measures[name]];
  if (!part || !measure) continue;
  const answer = await measure({ rows: numbers, isKept: values.write });
  answers[name] = answer;
  const section = `## ${part.reports}\n\n${tablesIn(answer).map(markdownOf).join('\n')}\n`;
  process.stdout.write(section);
  markdown += section;
}
mkdirSync('.local', { recursive: true });
writeFileSync('.local/bench.json', `${JSON.stringify(answers, null, 2)}\n`);
writeFileSync('.local/bench.md', markdown);
process.exit(0);
