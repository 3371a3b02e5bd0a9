import { expect, it } from 'vitest';
import { benchCeilings, spreads } from './bench/ceilings.ts';
import { expectTableIn } from './document-table.ts';

it('the ceilings of one account are as the documentation has them, and 1,000 emails a second are possible', async () => {
  const ceilings = await benchCeilings();
  const heads = spreads.map(({ credits, messages }) => `${credits} / ${messages}`);
  const rows = Object.entries(ceilings).map(([operation, each]) => {
    const figures = each.map(({ perSecond }) => perSecond.toLocaleString('en'));
    return `| ${[operation, ...figures, `\`${each.at(-1)?.at}\``].join(' | ')} |`;
  });
  expectTableIn(
    'infra/ARCHITECTURE.md',
    `| operation | ${heads.join(' | ')} | what gives way first at the last |`,
    rows,
  );
  const email = ceilings['POST /messages, email to a known contact'] ?? [];
  expect(email.at(-1)?.perSecond).toBeGreaterThanOrEqual(1_000);
});
