import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CursorPage, cursorPage, filteredPage, type WantedPage } from './cursor-page.ts';

const rows = ['c', 'b', 'a'].map((id) => ({ id }));
const pageOf = (limit: number) => cursorPage(limit, async (most) => rows.slice(0, most));

it('has the id of its last row as the cursor while there are more rows', async () => {
  expect(await pageOf(2)).toEqual({ page: rows.slice(0, 2), pagination: { cursor: 'b', hasMore: true } });
});

it('has no cursor where it ends with the last row, or is empty', async () => {
  expect(await pageOf(3)).toEqual({ page: rows, pagination: { cursor: null, hasMore: false } });
  expect(await cursorPage(3, async () => [])).toEqual({ page: [], pagination: { cursor: null, hasMore: false } });
});

/** A list of rows with ascending ids: those that are gone are undefined. It counts the rows that were read of it. */
const startList = (stored: readonly (number | undefined)[]) => {
  const all = stored.map((row, n) => ({ id: String(n).padStart(5, '0'), row }));
  let read = 0;
  const readPage = async ({ cursor = '', limit }: WantedPage) => {
    const rows = all.filter(({ id }) => id > cursor).slice(0, limit);
    read += rows.length;
    return rows;
  };
  return { readPage, readCount: () => read };
};
const isEven = (row: number) => row % 2 === 0;

it('a filtered list has each fitting row once, in order, and pages that are full or end early', async () => {
  const row = fc.option(fc.nat(9), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 300 }), fc.integer({ min: 1, max: 50 }), async (stored, limit) => {
      const { readPage } = startList(stored);
      const found: number[] = [];
      let [cursor, hasMore]: [string | undefined, boolean] = [undefined, true];
      while (hasMore) {
        const { page, pagination }: CursorPage<number> = await filteredPage({ cursor, limit }, readPage, isEven);
        expect(page.length).toBeLessThanOrEqual(limit);
        if (pagination.hasMore) expect(page).toHaveLength(limit);
        found.push(...page);
        [cursor, hasMore] = [pagination.cursor ?? undefined, pagination.hasMore];
      }
      expect(found).toEqual(stored.filter((each) => each !== undefined && isEven(each)));
    }),
    { numRuns: 30 },
  );
});

it('a filtered page ends early when few rows fit, and the next one continues there', async () => {
  const { readPage, readCount } = startList([...Array.from({ length: 2_500 }, () => 1), 2]);
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const { page, pagination }: CursorPage<number> = await filteredPage({ cursor, limit: 20 }, readPage, isEven);
    pages.push(page);
    cursor = pagination.cursor ?? undefined;
    expect(readCount()).toBeLessThanOrEqual(pages.length * 1_100);
  } while (cursor !== undefined);
  expect(pages).toEqual([[], [], [2]]);
});

it('rows that are too large for one answer come on several pages, each with one at least, and none is left out', async () => {
  const sizes = fc.array(fc.oneof(fc.nat(200_000), fc.integer({ min: 1_000_000, max: 4_000_000 })), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 20 }), async (stored, limit) => {
      const { readPage } = startList(stored);
      const filtered = (cursor: string | undefined) =>
        filteredPage(
          { cursor, limit },
          readPage,
          () => true,
          (size) => size,
        );
      const plain = async (cursor: string | undefined) => {
        const list = async (most: number) => await readPage({ cursor, limit: most });
        const { page, pagination } = await cursorPage(limit, list, ({ row = 0 }) => row);
        return { page: page.map(({ row = 0 }) => row), pagination };
      };
      for (const readOne of [filtered, plain]) {
        const found: number[] = [];
        let [cursor, hasMore]: [string | undefined, boolean] = [undefined, true];
        while (hasMore) {
          const { page, pagination }: CursorPage<number> = await readOne(cursor);
          expect(page.length === 1 || page.reduce((sum, size) => sum + size, 0) <= 2_500_000).toBe(true);
          found.push(...page);
          [cursor, hasMore] = [pagination.cursor ?? undefined, pagination.hasMore];
        }
        expect(found).toEqual(stored);
      }
    }),
    { numRuns: 30 },
  );
});
