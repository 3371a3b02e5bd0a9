import { firstIdAt, lastIdAt, timeOfId } from '../../kit/id.ts';
import { type Channel, channels, type Status, statuses } from '../../messages/message.ts';
import { epochsIn, type Spread } from '../../messages/spread.ts';
import { partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';

interface Kind {
  readonly channel?: Channel | undefined;
  readonly status?: Status | undefined;
}

/** Ids, both included. */
interface Stretch {
  readonly from: string;
  readonly to: string;
  /** Just these attributes of every row, `SK` among them. */
  readonly only?: readonly string[];
}

type Partition = { readonly PK: string } | { readonly GSI1PK: string };

/** The greatest sort key below this id: ids end in a hexadecimal digit, and `/` comes right before `0`. */
export const before = (id: string): string =>
  `${id.slice(0, -1)}${String.fromCharCode(id.charCodeAt(id.length - 1) - 1)}`;
/** The least sort key above this id. */
export const behind = (id: string): string => `${id}0`;

const idOf = (row: Item): string => String(row['SK']);

/** Rows of an account's messages, whichever partitions they lie in. With a status they are read from the index. */
export const messageRows = (table: Table, accountId: string, spread: Spread) => {
  const placesOf = (shards: number | undefined, { channel, status }: Kind): Partition[] => {
    const wanted = channel === undefined ? channels : [channel];
    if (shards === undefined && channel === undefined && status === undefined)
      return [partitions.earlierMessages(accountId)];
    // In the table itself, the release before did not separate channels.
    if (shards === undefined)
      return wanted.flatMap((one) =>
        (status === undefined ? statuses : [status]).map((other) => partitions.messagesWith(accountId, one, other, 0)),
      );
    return wanted.flatMap((one) =>
      Array.from({ length: shards }, (_, shard) =>
        status === undefined
          ? partitions.messages(accountId, one, shard)
          : partitions.messagesWith(accountId, one, status, shard),
      ),
    );
  };

  const partsOf = (kind: Kind, { from, to, ...stretch }: Stretch) =>
    epochsIn(spread, timeOfId(from), timeOfId(to)).map(({ fromMs, toMs, shards }) => ({
      shards,
      places: placesOf(shards, kind),
      stretch: {
        ...stretch,
        from: firstIdAt(fromMs) > from ? firstIdAt(fromMs) : from,
        to: lastIdAt(toMs) < to ? lastIdAt(toMs) : to,
      },
    }));

  /** The first rows of several partitions together. A partition is read on only while its next row may be among them. */
  const merged = async (
    { shards = 1, places, stretch }: ReturnType<typeof partsOf>[number],
    { newestFirst, limit }: { readonly newestFirst: boolean; readonly limit: number },
  ): Promise<Item[]> => {
    const [sign, share] = [newestFirst ? -1 : 1, shareOf(limit, shards)];
    let rows: Item[] = [];
    let open = places.map((place) => ({ place, stretch, last: '' }));
    while (open.length > 0) {
      const answers = await Promise.all(
        open.map(async ({ place, stretch: left }) => {
          const found = await table.query(place, { ...left, newestFirst, limit: share });
          const last = found.length < share ? undefined : found.at(-1);
          return { place, left, found, last: last && idOf(last) };
        }),
      );
      rows = [...rows, ...answers.flatMap(({ found }) => found)]
        .sort((a, b) => (idOf(a) < idOf(b) ? -sign : sign))
        .slice(0, limit);
      const end = rows.length < limit ? undefined : rows.at(-1);
      open = answers.flatMap(({ place, left, last }) => {
        if (last === undefined || (end && (newestFirst ? last <= idOf(end) : last >= idOf(end)))) return [];
        return [
          { place, last, stretch: newestFirst ? { ...left, to: before(last) } : { ...left, from: behind(last) } },
        ];
      });
    }
    return rows;
  };

  return {
    /** The first rows of a stretch, in the order of their ids. */
    page: async (
      kind: Kind,
      { newestFirst, limit, ...stretch }: Stretch & { readonly newestFirst: boolean; readonly limit: number },
    ): Promise<Item[]> => {
      const parts = partsOf(kind, stretch);
      const rows: Item[] = [];
      for (const part of newestFirst ? parts.reverse() : parts) {
        if (rows.length >= limit) break;
        rows.push(...(await merged(part, { newestFirst, limit: limit - rows.length })));
      }
      return rows;
    },

    /** All rows of a stretch, in any order. */
    all: async (kind: Kind, stretch: Stretch): Promise<Item[]> => {
      const parts = partsOf(kind, stretch).flatMap((part) => part.places.map((place) => ({ ...part, place })));
      const found = parts.map((part) => table.query(part.place, { ...part.stretch, newestFirst: false }));
      return (await Promise.all(found)).flat();
    },
  };
};

/** How many rows of a page one of these shards probably has, and some more, so that a second read is rare. */
const shareOf = (limit: number, shards: number): number => {
  const mean = limit / shards;
  return shards === 1 ? limit : Math.min(limit, Math.ceil(mean + 3 * Math.sqrt(mean)) + 1);
};
