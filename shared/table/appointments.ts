import type { ItemKey } from './keys.ts';
import type { Table } from './table.ts';

/**
 * An instant to come back at, kept in the item of whatever is waited for. Those who ask get one after the other, each as much later as
 * they ask for, so that they do not all come at once.
 */
export const appoint = async (table: Table, key: ItemKey, lastsMs: number, nowMs: number): Promise<number> => {
  const next = await table.update({
    Key: key,
    UpdateExpression: 'SET nextMs = nextMs + :lasts',
    ConditionExpression: 'nextMs > :now',
    ExpressionAttributeValues: { ':lasts': lastsMs, ':now': nowMs },
  });
  if (next.done) return Number(next.item['nextMs']);
  const first = await table.update({
    Key: key,
    UpdateExpression: 'SET nextMs = :first',
    ConditionExpression: 'attribute_not_exists(nextMs) OR nextMs <= :now',
    ExpressionAttributeValues: { ':first': nowMs + lastsMs, ':now': nowMs },
  });
  return first.done ? nowMs + lastsMs : appoint(table, key, lastsMs, nowMs);
};
