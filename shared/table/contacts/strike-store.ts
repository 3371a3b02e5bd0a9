import type { AccountRef } from '../../kit/account-ref.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

/** Sends that were refused as spam, by the contact that they were for. */
export const strikeStore = (table: Table) => ({
  /** Adds a send once, and returns all stored ones. */
  add: async (
    account: AccountRef,
    contactId: string,
    sendId: string,
    expiresMs: number,
  ): Promise<readonly string[]> => {
    const { item } = await table.update({
      Key: itemKeys.strikes(account.id, contactId),
      UpdateExpression: 'ADD sends :send SET entity = :entity, expiresAt = :expires',
      ExpressionAttributeValues: {
        ':send': new Set([sendId]),
        ':entity': 'strikes',
        ':expires': Math.ceil(expiresMs / 1_000),
      },
    });
    return [...((item?.['sends'] ?? []) as Iterable<string>)];
  },
});
