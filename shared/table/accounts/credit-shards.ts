import { isId } from '../../kit/id.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

/** Over how many items an account's credits are spread. */
export const creditShardsIn = ({ creditShards = 1 }: Item): number => Number(creditShards);

/**
 * Spreads the credits of an account over at least so many items, and returns how many there are then; undefined for an unknown account. The
 * number never falls, so one that was read earlier is too small at worst. The credits themselves move when a send needs them.
 */
export const raiseCreditShards = async (
  table: Table,
  accountId: string,
  shards: number,
): Promise<number | undefined> => {
  if (!isId(accountId)) return undefined;
  const { item } = await table.update({
    Key: itemKeys.account(accountId),
    UpdateExpression: 'SET creditShards = :shards',
    ConditionExpression: 'attribute_exists(PK) AND (attribute_not_exists(creditShards) OR creditShards < :shards)',
    ExpressionAttributeValues: { ':shards': shards },
  });
  return item && creditShardsIn(item);
};
