import type { RingKey } from '../../aws/vault.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

/** The data keys that accounts were given after their first one. An account without any has no item. */
export const keyRingStore = (table: Table) => ({
  read: async (accountId: string): Promise<readonly RingKey[]> =>
    ((await table.get(itemKeys.keyRing(accountId)))?.['keys'] ?? []) as RingKey[],

  /** Adds a key to the ring as it was read. False: the ring has changed since, and nothing was added. */
  add: async (accountId: string, { length }: readonly RingKey[], key: RingKey): Promise<boolean> => {
    const { done } = await table.update({
      Key: itemKeys.keyRing(accountId),
      UpdateExpression: 'SET entity = :entity, #keys = list_append(if_not_exists(#keys, :none), :key)',
      ConditionExpression: length === 0 ? 'attribute_not_exists(PK)' : 'size(#keys) = :length',
      ExpressionAttributeNames: { '#keys': 'keys' },
      ExpressionAttributeValues: {
        ':entity': 'key-ring',
        ':none': [],
        ':key': [key],
        ...(length > 0 && { ':length': length }),
      },
    });
    return done;
  },
});
