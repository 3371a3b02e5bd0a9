import { digestOf } from '../../kit/digest.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';

/** A counter is kept for its own window and the next. */
const keptWindows = 2;

/** Calls of a caller without a key: one counter per minute, or per window of several. The caller is stored only as a hash. */
export const rateStore = (table: Table) => ({
  /** Adds calls, and returns the count of the minute, or of the window. */
  count: async (subject: string, nowMs: number, { calls = 1, windowMinutes = 1 } = {}): Promise<number> => {
    const window = Math.floor(nowMs / (windowMinutes * 60_000));
    const hash = digestOf(subject);
    const { item } = await table.update({
      Key: itemKeys.rate(hash, window),
      UpdateExpression: 'ADD #count :calls SET expiresAt = :expires, #entity = :entity',
      ExpressionAttributeNames: { '#count': 'count', '#entity': 'entity' },
      ExpressionAttributeValues: {
        ':calls': calls,
        ':expires': (window + keptWindows) * windowMinutes * 60,
        ':entity': 'rate',
      },
    });
    return Number(item?.['count']);
  },
});

export type RateStore = ReturnType<typeof rateStore>;
