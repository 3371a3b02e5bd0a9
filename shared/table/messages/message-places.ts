import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { timeOfId } from '../../kit/id.ts';
import type { Channel, Status } from '../../messages/message.ts';
import { type Spread, shardOf, shardsAt } from '../../messages/spread.ts';
import { type IndexKey, type ItemKey, indexKeys, itemKeys } from '../keys.ts';
import type { SpreadStore } from './spread-store.ts';

interface Named {
  readonly id: string;
  readonly channel: Channel;
}

/** Where a message lies, and what opens it. */
export interface MessagePlace extends Named {
  readonly accountId: string;
  readonly cipher: Cipher;
  readonly item: ItemKey;
  /** Without a partition where the message does not stand in the index. */
  readonly inIndex: (status: Status) => Pick<IndexKey, 'GSI1SK'> & Partial<IndexKey>;
}

/** Most emails end as delivered, so their list is read from all emails: in the index, each would cost one write unit more. Without a channel: of any. */
export const isUnlisted = (channel: Channel | undefined, status: Status | undefined): boolean =>
  (channel ?? 'email') === 'email' && status === 'delivered';

/** The keys of a message, by the spread of its account. */
export const messageKeys = (
  accountId: string,
  spread: Spread,
  { id, channel }: Named,
): Pick<MessagePlace, 'item' | 'inIndex'> => {
  const shards = shardsAt(spread, timeOfId(id));
  const shard = shards === undefined ? 0 : shardOf(id, shards);
  return {
    item:
      shards === undefined ? itemKeys.earlierMessage(accountId, id) : itemKeys.message(accountId, channel, shard, id),
    inIndex: (status) => {
      const { GSI1PK, GSI1SK } = indexKeys.message(accountId, channel, status, shard, id);
      // The release before laid messages of all channels in one partition.
      return shards !== undefined && isUnlisted(channel, status) ? { GSI1SK } : { GSI1PK, GSI1SK };
    },
  };
};

/** Finds out where messages lie. */
export const placing =
  (vault: Vault, spreads: SpreadStore) =>
  async (account: AccountRef, { id, channel }: Named): Promise<MessagePlace> => {
    const [cipher, spread] = await Promise.all([vault.unlock(account), spreads.of(account.id, timeOfId(id))]);
    return { id, channel, accountId: account.id, cipher, ...messageKeys(account.id, spread, { id, channel }) };
  };
