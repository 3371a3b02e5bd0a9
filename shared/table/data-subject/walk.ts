import type { Item, Table } from '../table.ts';

/** All rows of a partition, a megabyte at a time. */
export async function* rowsOf(table: Table, partition: { readonly PK: string }): AsyncGenerator<Item> {
  for await (const rows of table.parts(partition, { from: '!', to: '~', newestFirst: false })) yield* rows;
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
