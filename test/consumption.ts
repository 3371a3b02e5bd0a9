import * as z from 'zod';
import type { TappedDynamoDb } from './tapped-dynamodb.ts';

const capacity = z.object({ CapacityUnits: z.number().default(0) });
const answered = z.object({
  ConsumedCapacity: z.union([z.array(capacity), capacity.transform((one) => [one])]).default([]),
});

const isRead = /^(Get|BatchGet|Query|Scan)/;

/** Counts later calls, and the capacity units that they consume. */
export const countConsumption = (dynamodb: Pick<TappedDynamoDb, 'tap'>) => {
  let calls = 0;
  let units = 0;
  let written = 0;
  dynamodb.tap('count-consumption', (next) => async (name, input) => {
    const answer = await next(name, { ...input, ReturnConsumedCapacity: 'TOTAL' });
    calls += 1;
    for (const { CapacityUnits } of answered.parse(answer).ConsumedCapacity) {
      units += CapacityUnits;
      if (!isRead.test(name)) written += CapacityUnits;
    }
    return answer;
  });
  const one = async (work: () => Promise<unknown>) => {
    [calls, units, written] = [0, 0, 0];
    await work();
    return { calls, units, written };
  };
  return {
    /** The calls and units of this work. */
    of: async (work: () => Promise<unknown>): Promise<{ readonly calls: number; readonly units: number }> => {
      const { calls, units } = await one(work);
      return { calls, units };
    },

    /** The same with the write units apart. */
    split: one,
  };
};
