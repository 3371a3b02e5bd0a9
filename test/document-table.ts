import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Compares a table with the one in a document that has the same head. `npm run readme` writes it there instead. */
export const expectTableIn = (
  file: 'infra/ARCHITECTURE.md' | 'shared/docs/pages/costs.md',
  head: string,
  rows: readonly string[],
): void => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const start = lines.indexOf(head);
  expect(start, `${file} has no table with the head ${head}`).toBeGreaterThan(-1);
  const rest = lines.slice(start);
  const length = rest.findIndex((line) => !line.startsWith('|'));
  const table = [head, head.replaceAll(/[^|]+/g, '---'), ...rows];
  if (process.env['WRITE_README'] === 'true') {
    lines.splice(start, length, ...table);
    writeFileSync(file, lines.join('\n'));
  } else expect(rest.slice(0, length), `${file} is not up to date: npm run readme`).toEqual(table);
};
