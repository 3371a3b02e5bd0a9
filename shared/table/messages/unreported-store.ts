import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { firstIdAt, lastIdAt } from '../../kit/id.ts';
import { failures } from '../../messages/failures.ts';
import { textChannels } from '../../messages/message.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Table } from '../table.ts';
import { sealedReason } from './message-items.ts';

/** How many are marked at a time. */
const atATime = 20;

/** Texts that were sent and of which no report has come. */
export const unreportedStore = (table: Table, vault: Vault) => {
  const markOne = async (account: AccountRef, id: string): Promise<boolean> => {
    const cipher = await vault.unlock(account);
    const { done } = await table.update({
      Key: itemKeys.message(account.id, id),
      UpdateExpression: 'SET failureCode = :code, failureReason = :reason',
      ConditionExpression: '#status = :sent AND attribute_not_exists(failureCode)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':sent': 'sent',
        ':code': failures.unreported.code,
        ':reason': sealedReason(account.id, cipher, id, failures.unreported.reason),
      },
    });
    return done;
  };

  return {
    /** Marks the messages of this time that have no report, and returns their number. Their status is unchanged, because they may have arrived. */
    mark: async (account: AccountRef, time: { readonly fromMs: number; readonly toMs: number }): Promise<number> => {
      const stretch = { from: firstIdAt(time.fromMs), to: lastIdAt(time.toMs), newestFirst: false };
      const found = await Promise.all(
        textChannels.map((channel) =>
          table.query(partitions.messagesWith(account.id, channel, 'sent'), {
            ...stretch,
            only: ['SK', 'failureCode'],
          }),
        ),
      );
      const ids = found.flat().flatMap(({ SK, failureCode }) => (failureCode === undefined ? [String(SK)] : []));
      let count = 0;
      for (let start = 0; start < ids.length; start += atATime) {
        const marked = await Promise.all(ids.slice(start, start + atATime).map((id) => markOne(account, id)));
        count += marked.filter(Boolean).length;
      }
      return count;
    },
  };
};

export type UnreportedStore = ReturnType<typeof unreportedStore>;
