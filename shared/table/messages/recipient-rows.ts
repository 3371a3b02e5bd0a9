import type { Channel, Status } from '../../messages/message.ts';
import type { SlimKey } from '../keys.ts';
import { before } from '../merged-rows.ts';
import type { Item, Table } from '../table.ts';

/** One read takes as many rows. */
const mostAtOnce = 100;

/**
 * Rows of messages to one address, newest first. They are found by its index, so they cost the same however many other messages the account has.
 * A row is read before its channel and status are compared, because the index has keys only.
 */
export const rowsTo = async (
  table: Table,
  address: Pick<SlimKey, 'GSI2PK'>,
  { channel, status }: { readonly channel?: Channel | undefined; readonly status?: Status | undefined },
  { from, to, limit }: { readonly from: string; readonly to: string; readonly limit: number },
): Promise<Item[]> => {
  const isWanted = (row: Item): boolean =>
    (channel === undefined || row['channel'] === channel) && (status === undefined || row['status'] === status);
  const atOnce = channel === undefined && status === undefined ? limit : mostAtOnce;
  const rows: Item[] = [];
  for (let newest = to; rows.length < limit; ) {
    const keys = await table.query(address, { from, to: newest, newestFirst: true, limit: atOnce });
    const found = await table.getAll(keys.map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) })));
    rows.push(...found.filter((row) => row !== undefined).filter(isWanted));
    const last = keys.at(-1);
    if (!last || keys.length < atOnce) break;
    newest = before(String(last['SK']));
  }
  return rows.slice(0, limit);
};
