import type { SlimKey } from '../keys.ts';
import { before } from '../merged-rows.ts';
import type { Item, Table } from '../table.ts';

/** Rows of messages to one address, newest first. They are found by its index, so they cost the same however many other messages the account has. */
export const rowsTo = async (
  table: Table,
  address: Pick<SlimKey, 'GSI2PK'>,
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<Item[]> => {
  const rows: Item[] = [];
  for (let newest = to; rows.length < limit; ) {
    const keys = await table.query(address, { from, to: newest, newestFirst: true, limit });
    const found = await table.getAll(keys.map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) })));
    rows.push(...found.filter((row) => row !== undefined));
    const last = keys.at(-1);
    if (!last || keys.length < limit) break;
    newest = before(String(last['SK']));
  }
  return rows.slice(0, limit);
};
