import type { ItemKey } from './keys.ts';
import type { Table } from './table.ts';

/** The attribute of the latest reserved time. */
export const nextAppointment = 'nextMs';

/**
 * A reserved time to return at, stored in the item that callers wait for. Each caller gets a later time, by the requested interval, so that
 * they do not all return together.
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
