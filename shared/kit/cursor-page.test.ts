import { expect, it } from 'vitest';
import { cursorPage } from './cursor-page.ts';

const rows = ['c', 'b', 'a'].map((id) => ({ id }));
const pageOf = (limit: number) => cursorPage(limit, async (most) => rows.slice(0, most));

it('has the id of its last row as the cursor while there are more rows', async () => {
  expect(await pageOf(2)).toEqual({ page: rows.slice(0, 2), pagination: { cursor: 'b', hasMore: true } });
});

it('has no cursor where it ends with the last row, or is empty', async () => {
  expect(await pageOf(3)).toEqual({ page: rows, pagination: { cursor: null, hasMore: false } });
  expect(await cursorPage(3, async () => [])).toEqual({ page: [], pagination: { cursor: null, hasMore: false } });
});
