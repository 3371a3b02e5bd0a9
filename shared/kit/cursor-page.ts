import { jsonOf } from './json-text.ts';

export interface CursorPage<Row> {
  readonly page: Row[];
  readonly pagination: { readonly cursor: string | null; readonly hasMore: boolean };
}

/** The page after the row with the id `cursor`, or the first one. */
export interface WantedPage {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lambda answers with 6 MB at most, in which the body is a JSON text: each quote in it takes two bytes. */
const mostPageBytes = 2_500_000;

/** How many of these rows one answer takes: the first in any case. */
export const rowsThatFit = <Row>(
  rows: readonly Row[],
  bytesOf: (row: Row) => number,
  mostBytes = mostPageBytes,
): number => {
  let bytes = 0;
  const tooMany = rows.findIndex((row, n) => {
    bytes += bytesOf(row);
    return n > 0 && bytes > mostBytes;
  });
  return tooMany < 0 ? rows.length : tooMany;
};

/** How much of an answer a row takes. */
export const bytesInAnswer = (row: unknown): number => Buffer.byteLength(jsonOf(row));

const small = (): number => 0;

/** One page of rows that were read for it. `last`: it goes on after this id where it has all of them; undefined: they end the list. */
export const pageOf = <Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
  bytesOf: (row: Row) => number = small,
  last?: string,
): CursorPage<Row> => {
  const size = Math.min(limit, rowsThatFit(rows, bytesOf));
  const page = rows.slice(0, size);
  const hasMore = rows.length > size;
  const cursor = hasMore ? page.at(-1)?.id : last;
  return { page, pagination: { cursor: cursor ?? null, hasMore: cursor !== undefined } };
};

/**
 * One page of a list that is read by cursor, which is the id of the page's last row. `list` is asked for one row more than the page has, because
 * that row says whether there is another page. Rows of more than `mostPageBytes` in all are several pages.
 */
export const cursorPage = async <Row extends { readonly id: string }>(
  limit: number,
  list: (most: number) => Promise<readonly Row[]>,
  bytesOf: (row: Row) => number = small,
): Promise<CursorPage<Row>> => pageOf(await list(limit + 1), limit, bytesOf);

/** The page cut to as many of its rows as one answer takes, by their JSON. */
export const fittingPage = <Row extends { readonly id: string }>({
  page,
  pagination: { cursor },
}: CursorPage<Row>): CursorPage<Row> => pageOf(page, page.length, bytesInAnswer, cursor ?? undefined);

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
 * cursor: it may be empty and have more. So does one whose rows have more than `mostPageBytes` in all.
 */
export const filteredPage = async <Row>(
  { cursor, limit }: WantedPage,
  read: (page: WantedPage) => Promise<readonly Looked<Row>[]>,
  fits: (row: Row) => boolean,
  bytesOf: (row: Row) => number = small,
): Promise<CursorPage<Row>> => {
  const fitting: { readonly id: string; readonly row: Row }[] = [];
  let [last, size, looked, bytes] = [cursor, limit + 1, 0, 0];
  const more = (at: string | undefined) => ({
    page: fitting.map(({ row }) => row),
    pagination: { cursor: at ?? null, hasMore: at !== undefined },
  });
  while (looked < mostLookedAt) {
    const rows = await read({ cursor: last, limit: size });
    for (const { id, row } of rows) {
      last = id;
      if (row === undefined || !fits(row)) continue;
      bytes += bytesOf(row);
      const isFull = fitting.length === limit || (fitting.length > 0 && bytes > mostPageBytes);
      if (isFull) return more(fitting.at(-1)?.id);
      fitting.push({ id, row });
    }
    if (rows.length < size) return more(undefined);
    looked += size;
    size = lookedAtOnce;
  }
  return more(last);
};
