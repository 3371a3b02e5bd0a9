import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../infra/local/options.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { readCommandLine } from '../command-line.ts';
import { idleCosts } from './idle.ts';
import { measureOperations } from './operations.ts';
import { pricesAsOf, processorMsAsOf } from './prices.ts';
import { dollarsPerMillion, type Step } from './usage.ts';

// Dollars of each operation from what it uses here, at list prices. Only the processor time depends on the machine; the bill has it from a table.
process.env['LOG_LEVEL'] = 'off';

const help = `npm run cost

Prints the dollars for a million of each operation, from what it uses on emulators, and those of a month without traffic.

  --help   Prints this
`;
readCommandLine({ help });

const rounded = (value: number): number => Math.round(value * 100) / 100;

const measured = await measureOperations({ withBatch: true });
console.log(`Dollars for a million operations, at the prices of ${pricesAsOf} in us-east-1`);
console.table(
  measured.map(({ name, load, operations, steps }) => ({
    operation: name,
    load,
    ...Object.fromEntries(
      Object.entries(dollarsPerMillion(steps, operations)).map(([kind, dollars]) => [kind, rounded(dollars)]),
    ),
  })),
);

const sum = (steps: readonly Step[], of: (step: Step) => number): number =>
  steps.reduce((total, step) => total + of(step), 0);
console.log(`What a job of each function uses. The bill has its processor time from a table of ${processorMsAsOf}`);
const all = measured.flatMap(({ load, steps }) => steps.map((step) => ({ key: `${step.does} (${load})`, step })));
console.table(
  Object.fromEntries(
    [...Map.groupBy(all, ({ key }) => key)].map(([key, some]) => {
      const steps = some.map(({ step }) => step);
      const jobs = sum(steps, (step) => step.jobs);
      return [
        key,
        {
          'jobs an invocation': rounded(jobs / sum(steps, (step) => step.invocations)),
          'write units': rounded(sum(steps, ({ units }) => units.Write) / jobs),
          'read units': rounded(sum(steps, ({ units }) => units.Read) / jobs),
          'requests to SQS': rounded(sum(steps, (step) => step.queueRequests) / jobs),
          'bytes of log': Math.round(sum(steps, (step) => step.logBytes) / jobs),
          'processor ms here': rounded(sum(steps, (step) => step.processorMs) / jobs),
        },
      ];
    }),
  ),
);
console.log('Dollars of a month without traffic, by what the templates have and schedules read');
const assembly = mkdtempSync(join(tmpdir(), 'assembly-'));
await synthesize(assembly, readOptions([], {}).settings);
console.table((await idleCosts(assembly)).map((cost) => ({ ...cost, dollars: rounded(cost.dollars) })));
rmSync(assembly, { recursive: true, force: true });
process.exit(0);
