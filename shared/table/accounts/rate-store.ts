import { digestOf } from '../../kit/digest.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

const keptMinutes = 2;

/** How often somebody without a key has called: one counter for each minute. Who it is lies there only as a hash. */
export const rateStore = (table: Table) => ({
  /** Counts one more, and gives the minute's count. */
  count: async (subject: string, nowMs: number): Promise<number> => {
    const minute = Math.floor(nowMs / 60_000);
    const hash = digestOf(subject);
    const { item } = await table.update({
      Key: itemKeys.rate(hash, minute),
      UpdateExpression: 'ADD #count :one SET expiresAt = :expires, #entity = :entity',
      ExpressionAttributeNames: { '#count': 'count', '#entity': 'entity' },
      ExpressionAttributeValues: { ':one': 1, ':expires': (minute + keptMinutes) * 60, ':entity': 'rate' },
    });
    return Number(item?.['count']);
  },
});
