import { digestOf } from '../../kit/digest.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

const keptMinutes = 2;

/** Calls of a caller without a key: one counter per minute. The caller is stored only as a hash. */
export const rateStore = (table: Table) => ({
  /** Adds calls, and returns the minute's count. */
  count: async (subject: string, nowMs: number, calls = 1): Promise<number> => {
    const minute = Math.floor(nowMs / 60_000);
    const hash = digestOf(subject);
    const { item } = await table.update({
      Key: itemKeys.rate(hash, minute),
      UpdateExpression: 'ADD #count :calls SET expiresAt = :expires, #entity = :entity',
      ExpressionAttributeNames: { '#count': 'count', '#entity': 'entity' },
      ExpressionAttributeValues: { ':calls': calls, ':expires': (minute + keptMinutes) * 60, ':entity': 'rate' },
    });
    return Number(item?.['count']);
  },
});
