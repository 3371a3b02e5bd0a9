import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { timeOfId } from '../../kit/id.ts';
import type { Channel, Status } from '../../messages/message.ts';
import { type Spread, shardOf, shardsAt } from '../../messages/spread.ts';
import { type IndexKey, type ItemKey, indexKeys, itemKeys } from '../keys.ts';
import type { SpreadStore } from './spread-store.ts';

/** By what a message is found: each channel has partitions of its own. */
interface MessageRef {
  readonly id: string;
  readonly channel: Channel;
}

/** Where a message lies, and what opens it. */
export interface MessagePlace extends MessageRef {
  readonly accountId: string;
  readonly cipher: Cipher;
  readonly item: ItemKey;
  /** Without a partition where the message does not stand in the index. */
  readonly inIndex: (status: Status) => Pick<IndexKey, 'GSI1SK'> & Partial<IndexKey>;
}

/**
 * The status whose place in the index a message has, or none, where that saves write units. What most messages end as is read from all messages of
 * the channel: `delivered` and, of emails, `sent`, which they are for seconds. Texts that are sent stay in the index, where a round finds those
 * without a report. A text is sending for a moment only, so it stays with those that are queued. An email that is sending has a place, where a
 * round finds a send that was cut off.
 */
export const indexedAs = (channel: Channel, status: Status): Status | undefined => {
  if (status === 'delivered') return undefined;
  if (channel === 'email') return status === 'sent' ? undefined : status;
  return status === 'sending' ? 'queued' : status;
};

/** The keys of a message, by the spread of its account. */
export const messageKeys = (
  accountId: string,
  spread: Spread,
  { id, channel }: MessageRef,
): Pick<MessagePlace, 'item' | 'inIndex'> => {
  const shards = shardsAt(spread, timeOfId(id));
  const shard = shards === undefined ? 0 : shardOf(id, shards);
  return {
    item:
      shards === undefined ? itemKeys.earlierMessage(accountId, id) : itemKeys.message(accountId, channel, shard, id),
    inIndex: (status) => {
      // In the table itself, the release before did not separate channels.
      const indexed = shards === undefined ? status : indexedAs(channel, status);
      const { GSI1PK, GSI1SK } = indexKeys.message(accountId, channel, indexed ?? status, shard, id);
      return indexed === undefined ? { GSI1SK } : { GSI1PK, GSI1SK };
    },
  };
};

/** Finds out where messages lie. */
export const placing =
  (vault: Vault, spreads: SpreadStore) =>
  async (account: AccountRef, { id, channel }: MessageRef): Promise<MessagePlace> => {
    const [cipher, spread] = await Promise.all([vault.unlock(account), spreads.of(account.id, timeOfId(id))]);
    return { id, channel, accountId: account.id, cipher, ...messageKeys(account.id, spread, { id, channel }) };
  };
