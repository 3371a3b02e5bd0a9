import { firstIdAt, lastIdAt, timeOfId } from '../../kit/id.ts';
import { inParts } from '../../kit/in-parts.ts';
import { type Channel, channels, type Status, statuses } from '../../messages/message.ts';
import { epochsIn, type Spread } from '../../messages/spread.ts';
import { partitions } from '../keys.ts';
import { mergedRows } from '../merged-rows.ts';
import type { Partition, Stretch } from '../question.ts';
import type { Item, Table } from '../table.ts';
import { indexedAs } from './message-places.ts';

interface Kind {
  readonly channel?: Channel | undefined;
  readonly status?: Status | undefined;
}

/** Whether a message is sent here. Another service sends those of campaigns and automations, and reports what becomes of them. */
export const isOwn = ({ origin }: Item): boolean => origin === 'api';

/** How many partitions of the index are counted at the same time. */
const countedAtOnce = 8;

/** Under which statuses the index has messages of a status; undefined: they are among all rows. The release before indexed each under its own. */
const statusesIndexed = (channel: Channel, status: Status | undefined): readonly (Status | undefined)[] => {
  const indexed = status && indexedAs(channel, status);
  return indexed === undefined ? [undefined] : [...new Set([indexed, status])];
};

/**
 * Rows of an account's messages, whichever partitions they lie in. With a status they are read from the index, where rows of another status may be
 * among them; where the index has none of it, they are among all rows. `SK` is one of a stretch's `only`.
 */
export const messageRows = (table: Table, accountId: string, spread: Spread) => {
  const inShards = (shards: number, channel: Channel, status: Status | undefined): Partition[] =>
    Array.from({ length: shards }, (_, shard) =>
      status === undefined
        ? partitions.messages(accountId, channel, shard)
        : partitions.messagesWith(accountId, channel, status, shard),
    );

  const partitionsOf = (shards: number | undefined, { channel, status }: Kind): Partition[] => {
    const wanted = channel === undefined ? channels : [channel];
    if (shards === undefined && channel === undefined && status === undefined)
      return [partitions.earlierMessages(accountId)];
    // In the table itself, the release before did not separate channels.
    if (shards === undefined)
      return wanted.flatMap((one) =>
        (status === undefined ? statuses : [status]).map((other) => partitions.messagesWith(accountId, one, other, 0)),
      );
    return wanted.flatMap((one) => statusesIndexed(one, status).flatMap((indexed) => inShards(shards, one, indexed)));
  };

  const partsWith = (kind: Kind, { from, to, ...stretch }: Stretch) =>
    epochsIn(spread, timeOfId(from), timeOfId(to)).map(({ fromMs, toMs, shards }) => ({
      shards,
      partitions: partitionsOf(shards, kind),
      stretch: {
        ...stretch,
        from: firstIdAt(fromMs) > from ? firstIdAt(fromMs) : from,
        to: lastIdAt(toMs) < to ? lastIdAt(toMs) : to,
      },
    }));

  return {
    /** The first rows of a stretch, in the order of their ids. */
    page: async (
      kind: Kind,
      { newestFirst, limit, ...stretch }: Stretch & { readonly newestFirst: boolean; readonly limit: number },
    ): Promise<Item[]> => {
      const parts = partsWith(kind, stretch);
      const rows: Item[] = [];
      for (const part of newestFirst ? parts.reverse() : parts) {
        if (rows.length >= limit) break;
        rows.push(...(await mergedRows(table, part, { newestFirst, limit: limit - rows.length })));
      }
      return rows;
    },

    /** All rows of a stretch, in any order. */
    all: async (kind: Kind, stretch: Stretch): Promise<Item[]> => {
      const parts = partsWith(kind, stretch).flatMap((part) =>
        part.partitions.map((partition) => ({ ...part, partition })),
      );
      const found = parts.map((part) => table.query(part.partition, { ...part.stretch, newestFirst: false }));
      return (await Promise.all(found)).flat();
    },

    /**
     * How many rows of each kind a stretch has: DynamoDB counts them, so that none is sent or kept. The index may be a moment behind, and kinds are
     * counted one beside the other: a message that moves meanwhile may count as both, or as none.
     */
    counts: async (stretch: Stretch): Promise<{ channel: Channel; status: Status; count: number }[]> => {
      const kinds = channels.flatMap((channel) => statuses.map((status) => ({ channel, status })));
      const parts = kinds.flatMap((kind) =>
        partsWith(kind, stretch).flatMap((part) =>
          part.partitions.map((partition) => ({ ...kind, ...part, partition })),
        ),
      );
      return inParts(parts, countedAtOnce, async ({ channel, status, partition, stretch: ids }) => ({
        channel,
        status,
        count: await table.count(partition, { ...ids, where: { status } }),
      }));
    },
  };
};
