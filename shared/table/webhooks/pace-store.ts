import { newId, timeOfId } from '../../kit/id.ts';
import { longestRunMs } from '../../kit/longest-run.ts';
import {
  type Admission,
  admit,
  admitAtHost,
  isSlow,
  type Lane,
  mayGoAlone,
  mayStay,
  shareOfHost,
  slowUntil,
  windowAfter,
} from '../../webhooks/pace.ts';
import type { Tally } from '../../webhooks/tally.ts';
import { hasFailedForLong } from '../../webhooks/webhook.ts';
import { appoint, nextAppointment } from '../appointments.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import {
  attributeOf,
  evictedIn,
  failingSinceIn,
  givingBack,
  hostKeyOf,
  lastSentIn,
  leasesIn,
  leaving,
  paceIn,
  smallBatchAttributeOf,
  smallBatchOf,
  standingOf,
  taking,
  withTallies,
} from './lease-items.ts';
import { uncountedIn } from './uncounted-leases.ts';

/** What a lease is for: deliveries to one subscription of an account, at its URL. */
export interface LeaseTarget {
  readonly account: string;
  readonly webhook: string;
  readonly url: string;
  /** Their ids. */
  readonly deliveries: readonly string[];
}

/** The items with the slots of a subscription and of its host, as far as they were read. */
export interface ReadItems {
  readonly leases?: Item | undefined;
  readonly host?: Item | undefined;
}

/** A lease in its slot at its subscription and, where several subscriptions name its host, in one at that. */
export interface Lease {
  readonly id: string;
  readonly callsAtOnce: number;
  readonly webhook: string;
  /** Its deliveries, if they are a small batch. */
  readonly smallBatch: readonly string[] | undefined;
  /** The item of the leases, with this one. */
  readonly item: Item;
  readonly slots: readonly { readonly key: ItemKey; readonly slot: number }[];
}

/** What a lease has learnt of its target. */
export interface Learnt {
  /** How long its slowest answer took. */
  readonly longestMs: number;
  readonly answers: number;
  readonly tally: Tally;
}

/** What the subscription’s item says after a lease has counted its deliveries. `failingSince`: since when all deliveries of its subscription have failed; `lastSentAt`: when one last succeeded. */
export interface Left {
  readonly failingSince: string | undefined;
  readonly lastSentAt: string | undefined;
}

/** `ended`: it has counted all its deliveries. `evicted`: it never will. */
export type LeaseEnd = 'under way' | 'ended' | 'evicted';

type Refusal = Exclude<Admission, { kind: 'free' }>;

/** A lease, or why the subscription or its host has no slot for it. `key`: the item of the one that has none. */
export type Entry =
  | { readonly kind: 'entered'; readonly lease: Lease }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly key: ItemKey };

const hostKeptSeconds = 24 * 60 * 60;

/** Longer than a job can come back: its dead-letter queue has kept it for fourteen days then, and its queue as long before. */
const evictedForMs = 30 * 24 * 60 * 60 * 1_000;

const subscriptionsIn = (host: Item): ReadonlySet<string> =>
  (host['subscriptions'] as Set<string> | undefined) ?? new Set();

/** Which leases are under way to each subscription and each shared host, known to all who deliver. */
export const paceStore = (table: Table) => {
  interface Asked {
    readonly key: ItemKey;
    readonly admitted: (item: Item) => Admission;
    readonly smallBatch?: readonly string[] | undefined;
    /** What leases that stayed in their slots add to the totals. */
    uncounted?(item: Item): Promise<ReadonlyMap<number, Tally>>;
  }

  /** A slot in an item as it was read; when another lease has come between, as it is. The slot of a dead lease is taken from it: that one is evicted. */
  const enterOne = async (
    asked: Asked,
    id: string,
    read: Item,
  ): Promise<{ readonly slot: number; readonly callsAtOnce: number; readonly item: Item } | Refusal> => {
    const uncounted = (await asked.uncounted?.(read)) ?? new Map();
    const admission = asked.admitted(withTallies(read, uncounted));
    if (admission.kind !== 'free') return admission;
    const { slot, callsAtOnce } = admission;
    const forgotten = [...evictedIn(read)].filter((lease) => timeOfId(lease) < timeOfId(id) - evictedForMs);
    const { key, smallBatch } = asked;
    const { done, item = {} } = await table.update(taking({ key, slot, id, smallBatch, read, uncounted, forgotten }));
    return done || leasesIn(item).get(slot) === id ? { slot, callsAtOnce, item } : enterOne(asked, id, item);
  };

  /** A host is paced while it is known to serve several subscriptions; each writes itself down there once a day. */
  const sharedHost = async (key: ItemKey, webhook: string, nowMs: number, read?: Item): Promise<Item | undefined> => {
    const known = read ?? (await table.get(key)) ?? {};
    if (subscriptionsIn(known).has(webhook)) return subscriptionsIn(known).size > 1 ? known : undefined;
    const { item = {} } = await table.update({
      Key: key,
      UpdateExpression: 'SET expiresAt = :expires ADD subscriptions :webhook',
      ExpressionAttributeValues: {
        ':expires': Math.ceil(nowMs / 1_000) + hostKeptSeconds,
        ':webhook': new Set([webhook]),
      },
    });
    return subscriptionsIn(item).size > 1 ? item : undefined;
  };

  const giveBack = async ({ key, slot }: Lease['slots'][number], id: string): Promise<void> => {
    await table.update(givingBack(key, slot, id));
  };

  const evict = async (webhook: string, id: string, item: Item): Promise<void> => {
    const [slot] = [...leasesIn(item)].find(([, lease]) => lease === id) ?? [];
    if (slot === undefined) return;
    await table.update({
      Key: itemKeys.deliveryLeases(webhook),
      UpdateExpression: 'REMOVE #slot, #batch ADD expelled :expelled',
      ConditionExpression: '#slot = :id',
      ExpressionAttributeNames: { '#slot': attributeOf(slot), '#batch': smallBatchAttributeOf(slot) },
      ExpressionAttributeValues: { ':id': id, ':expelled': new Set([id]) },
    });
  };

  return {
    /**
     * Takes a slot at the subscription, and at its host where many subscriptions share that; or none. `read`: the items of the subscription's leases and of its
     * host, as far as they were read. Nothing is counted without a slot, so every lease takes one.
     */
    enter: async (
      { account, webhook, url, deliveries }: LeaseTarget,
      lane: Lane,
      nowMs: number,
      read: ReadItems = {},
    ): Promise<Entry> => {
      const id = newId(nowMs);
      const smallBatch = smallBatchOf(deliveries);
      const key = itemKeys.deliveryLeases(webhook);
      const hostKey = hostKeyOf(account, url);
      const [known, host] = await Promise.all([
        read.leases ?? table.get(key),
        sharedHost(hostKey, webhook, nowMs, read.host),
      ]);
      const share = host && shareOfHost(subscriptionsIn(host).size, lane);
      const admitted = (item: Item) => admit(paceIn(item), lane, nowMs, { share });
      const uncounted = (item: Item) => uncountedIn(table, webhook, item, nowMs);
      const own = await enterOne({ key, admitted, smallBatch, uncounted }, id, known ?? {});
      if (!('slot' in own)) return { kind: 'refused', refusal: own, key };
      const lease: Lease = { ...own, id, webhook, smallBatch, slots: [{ key, slot: own.slot }] };
      if (!host || share) return { kind: 'entered', lease };
      const leases = { own: { leases: leasesIn(own.item) }, host: { leases: leasesIn(host) } };
      if (mayGoAlone(deliveries.length, subscriptionsIn(host).size, leases, nowMs)) return { kind: 'entered', lease };

      const admittedThere = (item: Item) => admitAtHost({ leases: leasesIn(item) }, lane, nowMs);
      const there = await enterOne({ key: hostKey, admitted: admittedThere }, id, host);
      if (!('slot' in there)) {
        await Promise.all(lease.slots.map((one) => giveBack(one, id)));
        return { kind: 'refused', refusal: there, key: hostKey };
      }
      const callsAtOnce = Math.min(lease.callsAtOnce, there.callsAtOnce);
      return {
        kind: 'entered',
        lease: { ...lease, callsAtOnce, slots: [...lease.slots, { key: hostKey, slot: there.slot }] },
      };
    },

    /** Records, before an answer has come, that a target is slow. */
    warn: async ({ id, slots: [own] }: Lease, tookMs: number, nowMs: number): Promise<void> => {
      if (!own) return;
      await table.update({
        Key: own.key,
        UpdateExpression: 'SET slowUntilMs = :slow, lastMs = :took',
        ConditionExpression: '#slot = :id',
        ExpressionAttributeNames: { '#slot': attributeOf(own.slot) },
        ExpressionAttributeValues: { ':slow': slowUntil(tookMs, nowMs), ':took': tookMs, ':id': id },
      });
    },

    /**
     * Ends a lease: gives its slots back, and counts its deliveries; or leaves that to the next lease, where all is well. Undefined: it was
     * evicted meanwhile, and has counted nothing.
     */
    leave: async (lease: Lease, { longestMs, answers, tally }: Learnt, nowMs: number): Promise<Left | undefined> => {
      const { id, item, smallBatch, slots } = lease;
      const [own, ...hosts] = slots;
      if (!own) return undefined;
      const isWell =
        tally.totalSent === smallBatch?.length && tally.totalFailed === 0 && failingSinceIn(item) === undefined;
      const mayWait = isWell && hosts.length === 0 && mayStay(paceIn(item), id, longestMs, nowMs);
      if (mayWait) return { failingSince: undefined, lastSentAt: undefined };
      const learnt = answers > 0 && {
        set: {
          window: windowAfter(paceIn(item).window, longestMs, answers),
          slowUntilMs: slowUntil(longestMs, nowMs),
          lastMs: longestMs,
        },
        // A quick lease ends the appointments: when the target is slow again, they begin anew, and not after the last one that was made.
        removed: isSlow(longestMs) ? [] : [nextAppointment],
      };
      const [left] = await Promise.all([
        table.update(leaving(own.key, own.slot, id, tally, learnt || {})),
        ...hosts.map((host) => giveBack(host, id)),
      ]);
      // A repetition whose first answer was lost finds the slot without the lease; the lease has counted then.
      const { item: after = {} } = left;
      const isCounted = left.done || !evictedIn(after).has(id);
      return isCounted ? { failingSince: failingSinceIn(after), lastSentAt: lastSentIn(after) } : undefined;
    },

    /**
     * Ends a lease that cannot tell which of its deliveries it recorded: it counts nothing, and is evicted, so that they are counted one by one.
     */
    giveUp: async ({ id, item, webhook, slots: [, ...hosts] }: Lease): Promise<undefined> => {
      await Promise.all([evict(webhook, id, item), ...hosts.map((host) => giveBack(host, id))]);
      return undefined;
    },

    /**
     * Records a success at once where a pause for failures is due, or will be before the lease ends: only then does the lease count it, and
     * another one whose deliveries fail would pause the subscription meanwhile.
     */
    endFailing: async ({ webhook, item }: Lease, nowMs: number): Promise<void> => {
      const since = failingSinceIn(item);
      if (since === undefined || !hasFailedForLong(since, nowMs + longestRunMs)) return;
      await table.update({
        Key: itemKeys.deliveryLeases(webhook),
        UpdateExpression: 'REMOVE failingSince',
        ConditionExpression: 'failingSince = :since',
        ExpressionAttributeValues: { ':since': since },
      });
    },

    /** Sets since when all deliveries of a subscription have failed, unless that has changed since it was read. */
    failSince: async (webhook: string, read: string, since: string): Promise<void> => {
      await table.update({
        Key: itemKeys.deliveryLeases(webhook),
        UpdateExpression: 'SET failingSince = :since',
        ConditionExpression: 'failingSince = :read',
        ExpressionAttributeValues: { ':since': since, ':read': read },
      });
    },

    /** What became of an earlier lease. One whose run is dead is evicted now, and can never count its deliveries. */
    endOf: async ({ webhook, item }: Lease, earlier: string, nowMs: number): Promise<LeaseEnd> => {
      const standing = standingOf(earlier, item, nowMs);
      if (standing !== 'dead') return standing;
      await evict(webhook, earlier, item);
      return 'evicted';
    },

    /** An instant to come back at; those who ask get one after the other, this far apart. */
    appoint: (key: ItemKey, everyMs: number, nowMs: number): Promise<number> => appoint(table, key, everyMs, nowMs),

    forget: (webhookId: string): Promise<void> => table.remove(itemKeys.deliveryLeases(webhookId)),
  };
};

export type PaceStore = ReturnType<typeof paceStore>;
