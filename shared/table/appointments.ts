import { longestDelaySeconds } from '../kit/time.ts';
import type { ItemKey } from './keys.ts';
import type { Table } from './table.ts';

/** The attribute of the latest reserved time. */
export const nextAppointment = 'nextMs';

/**
 * A reserved time to return at, stored in the item that callers wait for. Each caller gets a later time, by the requested interval, so that
 * they do not all return together; but none later than a job can: what is reserved beyond that would keep callers waiting when nobody waits any more.
 */
export const appoint = async (table: Table, key: ItemKey, lastsMs: number, nowMs: number): Promise<number> => {
  const latestMs = nowMs + longestDelaySeconds * 1_000;
  const next = await table.update({
    Key: key,
    UpdateExpression: 'SET nextMs = nextMs + :lasts',
    ConditionExpression: 'nextMs > :now AND nextMs < :latest',
    ExpressionAttributeValues: { ':lasts': lastsMs, ':now': nowMs, ':latest': latestMs },
  });
  const nextMs = Number(next.item?.['nextMs'] ?? 0);
  if (next.done || nextMs >= latestMs) return nextMs;
  const first = await table.update({
    Key: key,
    UpdateExpression: 'SET nextMs = :first',
    ConditionExpression: 'attribute_not_exists(nextMs) OR nextMs <= :now',
    ExpressionAttributeValues: { ':first': nowMs + lastsMs, ':now': nowMs },
  });
  return first.done ? nowMs + lastsMs : appoint(table, key, lastsMs, nowMs);
};
