import { type ItemKey, keyIn, type SlimKey } from '../keys.ts';
import { before } from '../merged-rows.ts';
import type { Item, Table } from '../table.ts';

/** Which messages to an address are read: those whose key `isWanted`, as far as they are among the newest `lookedAt` to it. */
interface Wanted {
  readonly lookedAt: number;
  readonly isWanted: (key: ItemKey) => boolean;
}

interface Found {
  readonly rows: Item[];
  /** The id of the last message that was looked at; undefined: there are no more. */
  readonly last: string | undefined;
}

/**
 * Rows of messages to one address, newest first, `limit` at most. They are found by its index, so they cost the same however many other messages the
 * account has: one query, and one read of the rows.
 */
export const rowsTo = async (
  table: Table,
  address: Pick<SlimKey, 'GSI2PK'>,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
  wanted: Wanted = { lookedAt: limit, isWanted: () => true },
): Promise<Found> => {
  const looked = await table.query(address, { from, to, newestFirst: true, limit: wanted.lookedAt });
  const keys = looked.map(keyIn);
  const first = keys.filter(wanted.isWanted).slice(0, limit);
  const rows = (await table.getAll(first)).filter((row) => row !== undefined);
  const last = (first.length < limit ? keys[wanted.lookedAt - 1] : first.at(-1))?.SK;
  if (last === undefined || rows.length === first.length) return { rows, last };
  // The index still has rows that are gone.
  const left = { from, to: before(last), limit: limit - rows.length };
  const next = await rowsTo(table, address, left, wanted);
  return { rows: [...rows, ...next.rows], last: next.last };
};
