import type { ItemKey } from './keys.ts';
import type { Item, Write } from './table.ts';

/** The condition of a write where nothing is. */
export const isNew = 'attribute_not_exists(PK)';

/** Puts an item where there is none. */
export const putNew = (item: Item | ItemKey): Write => ({ Put: { Item: item, ConditionExpression: isNew } });

/** Refused where there is an item. */
export const checkNew = (Key: ItemKey): Write => ({ ConditionCheck: { Key, ConditionExpression: isNew } });

/** The condition of a write where there is nothing, or the version that was read. */
export const versionAsRead = (version: number) => ({
  ConditionExpression: `${isNew} OR version = :read`,
  ExpressionAttributeValues: { ':read': version },
});
