import { type DynamoDb, DynamoDbError } from '../../../shared/aws/dynamodb.ts';
import type { TableSpec } from '../blueprint.ts';
import { textOf, type WireItem } from './dynamodb-parts.ts';
import type { openUpkeep } from './dynamodb-upkeep.ts';

/** Deletes the items whose TTL is over by the clock of the stack, which may be ahead of dynoxide's. Returns how many. */
export const deleteExpired = async (
  dynamodb: DynamoDb,
  tables: readonly TableSpec[],
  { expiredItems }: Pick<ReturnType<typeof openUpkeep>, 'expiredItems'>,
): Promise<number> => {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  let deleted = 0;
  for (const table of tables) {
    for (const item of expiredItems(table, nowSeconds))
      if (await isDeleted(dynamodb, deletionOf(table, item, nowSeconds))) deleted += 1;
  }
  return deleted;
};

const isDeleted = async (dynamodb: DynamoDb, deletion: ReturnType<typeof deletionOf>): Promise<boolean> => {
  try {
    await dynamodb.send('DeleteItem', deletion);
    return true;
  } catch (error) {
    if (error instanceof DynamoDbError && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
};

/** An item that was written again meanwhile stays. */
const deletionOf = ({ name, key, ttlAttribute = '' }: TableSpec, item: WireItem, nowSeconds: number) => {
  const names = [key.partition, ...(key.sort === undefined ? [] : [key.sort])];
  return {
    TableName: name,
    Key: Object.fromEntries(names.map((attribute) => [attribute, textOf(item[attribute]) ?? ''])),
    ConditionExpression: '#ttl <= :now',
    ExpressionAttributeNames: { '#ttl': ttlAttribute },
    ExpressionAttributeValues: { ':now': nowSeconds },
  };
};
