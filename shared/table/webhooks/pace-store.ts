import { digestOf } from '../../kit/digest.ts';
import {
  anyTurn,
  hostOf,
  judge,
  type Lane,
  type Pace,
  slowUntil,
  turnEndsAfterMs,
  turnsAt,
  type Verdict,
} from '../../webhooks/pace.ts';
import { appoint } from '../appointments.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

/** Where deliveries go that share turns. */
export interface Place {
  readonly kind: keyof typeof turnsAt;
  readonly key: ItemKey;
}

/** Whose deliveries go where. */
interface Target {
  readonly account: string;
  readonly webhook: string;
  readonly url: string;
}

/** A host has turns of its own for each account, so that no account holds up another. */
const placesOf = ({ account, webhook, url }: Target): readonly Place[] => [
  { kind: 'subscription', key: itemKeys.pace(webhook) },
  { kind: 'host', key: itemKeys.hostPace(account, digestOf(hostOf(url))) },
];

/** A turn at a place. */
export interface Turn {
  readonly place: Place;
  readonly turn: number;
  readonly startedMs: number;
}

type Refusal = Exclude<Verdict, { kind: 'free' }>;

/** Turns at all places, or how it stands with the first that has none. */
export type Entry =
  | { readonly kind: 'entered'; readonly turns: readonly Turn[] }
  | { readonly kind: 'refused'; readonly verdict: Refusal; readonly place: Place };

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

/** How many deliveries are under way to each subscription and each host, known to all who deliver. */
export const paceStore = (table: Table) => {
  const enterOne = async (
    place: Place,
    lane: Lane,
    nowMs: number,
    turn = anyTurn(turnsAt[place.kind], lane),
  ): Promise<Turn | Refusal> => {
    const isFree = 'attribute_not_exists(#turn) OR #turn < :dead';
    const isNotSlow = '(attribute_not_exists(slowUntilMs) OR slowUntilMs < :now)';
    const taken = await table.update({
      Key: place.key,
      UpdateExpression: 'SET #turn = :now, expiresAt = :expires',
      ConditionExpression: lane === 'fast' ? `(${isFree}) AND ${isNotSlow}` : isFree,
      ExpressionAttributeNames: { '#turn': `turn${turn}` },
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':dead': nowMs - turnEndsAfterMs,
        ':expires': Math.ceil(nowMs / 1_000) + keptSeconds,
      },
    });
    if (taken.done) return { place, turn, startedMs: nowMs };
    const verdict = judge(turnsAt[place.kind], paceFrom(taken.item ?? {}), lane, nowMs);
    return verdict.kind === 'free' ? enterOne(place, lane, nowMs, verdict.turn) : verdict;
  };

  /** A turn that was held too long may belong to another by now. */
  const giveBack = ({ place, turn, startedMs }: Turn, learnt: Item = {}): Promise<unknown> => {
    const set = Object.keys(learnt).map((name) => `${name} = :${name}`);
    return table.update({
      Key: place.key,
      UpdateExpression: `REMOVE #turn${set.length > 0 ? ` SET ${set.join(', ')}` : ''}`,
      ConditionExpression: '#turn = :started',
      ExpressionAttributeNames: { '#turn': `turn${turn}` },
      ExpressionAttributeValues: {
        ':started': startedMs,
        ...Object.fromEntries(Object.entries(learnt).map(([name, value]) => [`:${name}`, value])),
      },
    });
  };

  return {
    /** Takes a turn at the subscription and one at its host, or neither. */
    enter: async (target: Target, lane: Lane, nowMs: number): Promise<Entry> => {
      const turns: Turn[] = [];
      for (const place of placesOf(target)) {
        const taken = await enterOne(place, lane, nowMs);
        if ('kind' in taken) {
          await Promise.all(turns.map((turn) => giveBack(turn)));
          return { kind: 'refused', verdict: taken, place };
        }
        turns.push(taken);
      }
      return { kind: 'entered', turns };
    },

    /** Releases turns, and records the target's duration. Only the subscription counts as slow by it, because a host may have slow and fast ones. */
    leave: async (turns: readonly Turn[], nowMs: number, tookMs: number): Promise<void> => {
      const slowUntilMs = slowUntil(tookMs, nowMs);
      await Promise.all(
        turns.map((turn) =>
          giveBack(turn, { lastMs: tookMs, ...(turn.place.kind === 'subscription' && { slowUntilMs }) }),
        ),
      );
    },

    /** An instant to come back at; those who ask get one after the other, this far apart. */
    appoint: ({ key }: Place, everyMs: number, nowMs: number): Promise<number> => appoint(table, key, everyMs, nowMs),

    forget: (webhookId: string): Promise<void> => table.remove(itemKeys.pace(webhookId)),
  };
};

export type PaceStore = ReturnType<typeof paceStore>;
