import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

const capacity = z.object({ CapacityUnits: z.number().default(0) });
const answered = z.object({
  ConsumedCapacity: z.union([z.array(capacity), capacity.transform((one) => [one])]).default([]),
});

const isRead = /^(Get|BatchGet|Query|Scan)/;

/** Counts a client's later calls, and the capacity units that they consume. */
export const countConsumption = (client: DynamoDBClient) => {
  let calls = 0;
  let units = 0;
  let written = 0;
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
        calls += 1;
        for (const { CapacityUnits } of answered.parse(result.output).ConsumedCapacity) {
          units += CapacityUnits;
          if (!isRead.test(commandName)) written += CapacityUnits;
        }
        return result;
      },
    { step: 'initialize', name: 'count-consumption', override: true },
  );
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
