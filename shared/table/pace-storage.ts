import { anyTurn, judge, type Lane, type Pace, slowUntil, turnEndsAfterMs, type Verdict } from '../webhooks/pace.ts';
import { appoint } from './appointments.ts';
import { itemKeys } from './keys.ts';
import type { Item, Table } from './table.ts';

/** A place among those who deliver to one subscription. */
export interface Turn {
  readonly webhookId: string;
  readonly turn: number;
  readonly startedMs: number;
}

export type Entry = { readonly kind: 'entered'; readonly turn: Turn } | Exclude<Verdict, { kind: 'free' }>;

const keptSeconds = 24 * 60 * 60;

const paceFrom = (item: Item): Pace => ({
  turns: new Map(
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith('turn') ? [[Number(name.slice('turn'.length)), Number(value)] as const] : [],
    ),
  ),
  slowUntilMs: Number(item['slowUntilMs'] ?? 0),
  lastMs: item['lastMs'] === undefined ? undefined : Number(item['lastMs']),
});

/** How many deliveries are under way to each subscription, known to all who deliver. */
export const paceStorage = (table: Table) => {
  const enter = async (webhookId: string, lane: Lane, nowMs: number, turn = anyTurn(lane)): Promise<Entry> => {
    const isFree = 'attribute_not_exists(#turn) OR #turn < :dead';
    const isNotSlow = '(attribute_not_exists(slowUntilMs) OR slowUntilMs < :now)';
    const taken = await table.update({
      Key: itemKeys.pace(webhookId),
      UpdateExpression: 'SET #turn = :now, expiresAt = :expires',
      ConditionExpression: lane === 'fast' ? `(${isFree}) AND ${isNotSlow}` : isFree,
      ExpressionAttributeNames: { '#turn': `turn${turn}` },
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':dead': nowMs - turnEndsAfterMs,
        ':expires': Math.ceil(nowMs / 1_000) + keptSeconds,
      },
    });
    if (taken.done) return { kind: 'entered', turn: { webhookId, turn, startedMs: nowMs } };
    const verdict = judge(paceFrom(taken.item ?? {}), lane, nowMs);
    return verdict.kind === 'free' ? enter(webhookId, lane, nowMs, verdict.turn) : verdict;
  };

  return {
    /** Takes a turn, or says how it stands with the target. */
    enter: (webhookId: string, lane: Lane, nowMs: number): Promise<Entry> => enter(webhookId, lane, nowMs),

    /** Gives a turn back, and tells how long the target took. A turn that was held too long may belong to somebody else now. */
    leave: async ({ webhookId, turn, startedMs }: Turn, nowMs: number, tookMs: number): Promise<void> => {
      await table.update({
        Key: itemKeys.pace(webhookId),
        UpdateExpression: 'REMOVE #turn SET slowUntilMs = :slowUntil, lastMs = :took',
        ConditionExpression: '#turn = :started',
        ExpressionAttributeNames: { '#turn': `turn${turn}` },
        ExpressionAttributeValues: { ':started': startedMs, ':slowUntil': slowUntil(tookMs, nowMs), ':took': tookMs },
      });
    },

    /** An instant to come back at; those who ask get one after the other, this far apart. */
    appoint: (webhookId: string, everyMs: number, nowMs: number): Promise<number> =>
      appoint(table, itemKeys.pace(webhookId), everyMs, nowMs),

    forget: (webhookId: string): Promise<void> => table.remove(itemKeys.pace(webhookId)),
  };
};

export type Paces = ReturnType<typeof paceStorage>;
