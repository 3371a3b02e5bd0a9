interface CursorPage<Row> {
  readonly page: Row[];
  readonly pagination: { readonly cursor: string | null; readonly hasMore: boolean };
}

/**
 * One page of a list that is read by cursor, which is the id of the page's last row. `list` is asked for one row more than the page has, because
 * that row says whether there is another page.
 */
export const cursorPage = async <Row extends { readonly id: string }>(
  limit: number,
  list: (most: number) => Promise<readonly Row[]>,
): Promise<CursorPage<Row>> => {
  const rows = await list(limit + 1);
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { page, pagination: { cursor: hasMore ? (page.at(-1)?.id ?? null) : null, hasMore } };
};
