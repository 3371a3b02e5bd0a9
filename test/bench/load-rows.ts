import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { localClient } from '../../infra/local/local-client.ts';
import type { Item } from '../../shared/table/table.ts';
import { tableSpec, type World } from '../world.ts';

const mostWrittenPerCall = 25;
const callsAtOnce = 4;
const mostTries = 8;

/** Tries again what may be done twice: with many rows, the emulator's upkeep takes longer than a call may. */
export const persistent = async <T>(work: () => Promise<T>, tries = mostTries): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    if (tries > 1) return persistent(work, tries - 1);
    throw thrown;
  }
};

/** Writes rows directly, much faster than the stores do. */
export const loadRows = async (world: World, items: readonly Item[]): Promise<void> => {
  const client = new DynamoDBClient(localClient(world.dynamodb.url));
  const rows = items.map((item) => ({ PutRequest: { Item: marshall(item, { removeUndefinedValues: true }) } }));
  for (let start = 0; start < rows.length; start += callsAtOnce * mostWrittenPerCall) {
    const calls = Array.from({ length: callsAtOnce }, (_, n) => {
      const from = start + n * mostWrittenPerCall;
      return rows.slice(from, from + mostWrittenPerCall);
    });
    await Promise.all(
      calls
        .filter((requests) => requests.length > 0)
        .map((requests) =>
          persistent(() => client.send(new BatchWriteItemCommand({ RequestItems: { [tableSpec.name]: requests } }))),
        ),
    );
  }
};
