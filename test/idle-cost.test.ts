import { expect, it } from 'vitest';
import { idleCosts } from './cost/idle.ts';
import { expectTableIn } from './document-table.ts';
import { readTemplates } from './read-templates.ts';
import { assembly } from './testbed.ts';

it('costs less than $5 a month while it is idle, with what its schedules read, as the documentation says', async () => {
  const costs = await idleCosts(assembly);
  expectTableIn(
    'shared/docs/pages/costs.md',
    '| billed while idle | number | $ a month |',
    costs.map(({ what, count, dollars }) => `| ${what} | ${count} | ${dollars.toFixed(2)} |`),
  );
  expect(costs.at(-1)?.dollars).toBeLessThan(5);
  expect(readTemplates(assembly).filter(({ Type }) => Type === 'AWS::CloudWatch::CompositeAlarm')).toEqual([]);
});
