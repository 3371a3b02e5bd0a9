export interface CursorPage<Row> {
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

/** How many rows one request looks at for its page. */
const mostLookedAt = 1_000;
const lookedAtOnce = 100;

interface Looked<Row> {
  readonly id: string;
  /** Undefined: it is gone. */
  readonly row: Row | undefined;
}

/**
 * One page of a list that is filtered after it is read. Where few rows fit, the page ends early, with the last row that was looked at as its
 * cursor: it may be empty and have more.
 */
export const filteredPage = async <Row>(
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
  read: (page: { readonly cursor: string | undefined; readonly limit: number }) => Promise<readonly Looked<Row>[]>,
  fits: (row: Row) => boolean,
): Promise<CursorPage<Row>> => {
  const fitting: { readonly id: string; readonly row: Row }[] = [];
  let [last, size, looked] = [cursor, limit + 1, 0];
  const more = (at: string | undefined) => ({
    page: fitting.map(({ row }) => row),
    pagination: { cursor: at ?? null, hasMore: at !== undefined },
  });
  while (looked < mostLookedAt) {
    const rows = await read({ cursor: last, limit: size });
    for (const { id, row } of rows) {
      last = id;
      if (row === undefined || !fits(row)) continue;
      if (fitting.length === limit) return more(fitting.at(-1)?.id);
      fitting.push({ id, row });
    }
    if (rows.length < size) return more(undefined);
    looked += size;
    size = lookedAtOnce;
  }
  return more(last);
};
