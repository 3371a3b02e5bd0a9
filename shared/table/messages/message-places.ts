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
  readonly inIndex: (status: Status) => IndexKey;
}

/** The keys of a message, by the spread of its account. */
export const messageKeys = (accountId: string, spread: Spread, { id, channel }: Named) => {
  const shards = shardsAt(spread, timeOfId(id));
  const shard = shards === undefined ? 0 : shardOf(id, shards);
  return {
    item:
      shards === undefined ? itemKeys.earlierMessage(accountId, id) : itemKeys.message(accountId, channel, shard, id),
    inIndex: (status: Status) => indexKeys.message(accountId, channel, status, shard, id),
  };
};

/** Finds out where messages lie. */
export const placing =
  (vault: Vault, spreads: SpreadStore) =>
  async (account: AccountRef, { id, channel }: Named): Promise<MessagePlace> => {
    const [cipher, spread] = await Promise.all([vault.unlock(account), spreads.of(account.id, timeOfId(id))]);
    return { id, channel, accountId: account.id, cipher, ...messageKeys(account.id, spread, { id, channel }) };
  };
