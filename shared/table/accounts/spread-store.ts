import { isId } from '../../kit/id.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

/** Over how many items an account's credits are spread. */
export interface Spread {
  readonly creditShards: number;
}

/** How far an account is spread. It is only ever raised, so a number that was read earlier is too small at worst. */
export const spreadStore = (table: Table) => ({
  /** The spread in force afterwards; undefined for an unknown account. A number that is not above the one in force changes nothing. */
  raise: async (accountId: string, { creditShards }: Spread): Promise<Spread | undefined> => {
    if (!isId(accountId)) return undefined;
    const { item } = await table.update({
      Key: itemKeys.account(accountId),
      UpdateExpression: 'SET creditShards = :shards',
      ConditionExpression: 'attribute_exists(PK) AND (attribute_not_exists(creditShards) OR creditShards < :shards)',
      ExpressionAttributeValues: { ':shards': creditShards },
    });
    return item && spreadIn(item);
  },
});

export type SpreadStore = ReturnType<typeof spreadStore>;

const spreadIn = ({ creditShards = 1 }: Item): Spread => ({ creditShards: Number(creditShards) });
