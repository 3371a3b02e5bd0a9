import type { Item, Table } from '../table.ts';

const rowsAtOnce = 200;

/** All rows of a partition, a page at a time. */
export async function* rowsOf(table: Table, partition: { readonly PK: string }): AsyncGenerator<Item> {
  let from = '!';
  for (;;) {
    const rows = await table.query(partition, { from, to: '~', newestFirst: false, limit: rowsAtOnce });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    // The least sort key above it.
    from = `${last['SK']}\u0000`;
  }
}

/** All rows of a list that is read by cursor. */
export async function* pagesOf<Row>(
  read: (cursor: string | undefined) => Promise<{
    readonly page: readonly Row[];
    readonly pagination: { readonly cursor: string | null };
  }>,
): AsyncGenerator<Row> {
  let cursor: string | null | undefined;
  do {
    const { page, pagination } = await read(cursor ?? undefined);
    yield* page;
    cursor = pagination.cursor;
  } while (cursor !== null);
}
