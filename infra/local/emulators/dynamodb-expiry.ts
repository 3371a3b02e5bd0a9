import { ConditionalCheckFailedException, DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableSpec } from '../blueprint.ts';
import { localClient } from '../local-client.ts';
import { textOf, type WireItem } from './dynamodb-parts.ts';
import type { openUpkeep } from './dynamodb-upkeep.ts';

/** Deletes the items whose TTL is over by the clock of the stack, which may be ahead of dynoxide's. Returns how many. */
export const deleteExpired = async (
  url: string,
  tables: readonly TableSpec[],
  { expiredItems }: Pick<ReturnType<typeof openUpkeep>, 'expiredItems'>,
): Promise<number> => {
  const client = new DynamoDBClient(localClient(url));
  const nowSeconds = Math.floor(Date.now() / 1_000);
  let deleted = 0;
  for (const table of tables) {
    for (const item of expiredItems(table, nowSeconds))
      if (await isDeleted(client, deletionOf(table, item, nowSeconds))) deleted += 1;
  }
  client.destroy();
  return deleted;
};

const isDeleted = async (client: DynamoDBClient, deletion: DeleteItemCommand): Promise<boolean> => {
  try {
    await client.send(deletion);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** An item that was written again meanwhile stays. */
const deletionOf = ({ name, key, ttlAttribute = '' }: TableSpec, item: WireItem, nowSeconds: number) => {
  const names = [key.partition, ...(key.sort === undefined ? [] : [key.sort])];
  return new DeleteItemCommand({
    TableName: name,
    Key: Object.fromEntries(names.map((attribute) => [attribute, { S: textOf(item[attribute]) ?? '' }])),
    ConditionExpression: '#ttl <= :now',
    ExpressionAttributeNames: { '#ttl': ttlAttribute },
    ExpressionAttributeValues: { ':now': { N: String(nowSeconds) } },
  });
};
