import { digestOf } from '../../kit/digest.ts';
import { firstWindow, hostOf, isDead, type Pace } from '../../webhooks/pace.ts';
import { emptyTally, sumOf, type Tally } from '../../webhooks/tally.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import { optionalNumber, optionalText } from '../optional.ts';
import type { Item, Write } from '../table.ts';

/**
 * A lease is the right of one run to deliver up to ten jobs of one subscription (see `pace.ts`). The subscription's item has numbered slots, which limit
 * how many leases are under way; a lease is in a slot if that has its id. Several subscriptions of an account may name one host, of which a further item
 * has slots too. The subscription's item also has the totals of its deliveries, and how its target has been.
 *
 * A lease counts its deliveries when it gives its slot back, in one write: it is counted as a whole, or its id is still in its slot. A lease
 * whose run died is evicted from its slot, can never count, and is remembered, so that the jobs that come back can count theirs one by one.
 */

/** The item with the slots of a host. */
export const hostKeyOf = (account: string, url: string): ItemKey => itemKeys.hostPace(account, digestOf(hostOf(url)));

// A lease is stored as a line, and an evicted one as expelled: names that data in the table has.
const slotName = /^line(\d+)$/;

export const attributeOf = (slot: number): string => `line${slot}`;

/** The leases in slots. */
export const leasesIn = (item: Item): ReadonlyMap<number, string> =>
  new Map(
    Object.entries(item).flatMap(([name, lease]) => {
      const [, slot] = slotName.exec(name) ?? [];
      return slot === undefined ? [] : [[Number(slot), String(lease)] as const];
    }),
  );

/** A lease of at most so many deliveries is a small batch. More would make the item larger than one write unit. */
const mostOfSmallBatch = 4;

/**
 * The lease of a small batch that went well stays in its slot when it ends, which saves a write. Its deliveries say that this lease recorded them, so
 * the next lease counts them, in the write that takes its own slot; until then, reading the totals adds them.
 */
export interface UncountedLease {
  readonly slot: number;
  readonly lease: string;
  readonly deliveries: readonly string[];
}

/** The deliveries of a lease, each once, if they are a small batch. */
export const smallBatchOf = (deliveries: readonly string[]): readonly string[] | undefined => {
  const each = [...new Set(deliveries)];
  return each.length <= mostOfSmallBatch ? each : undefined;
};

export const smallBatchAttributeOf = (slot: number): string => `lone${slot}`;

export const uncountedLeasesIn = (item: Item): readonly UncountedLease[] =>
  [...leasesIn(item)].flatMap(([slot, lease]) => {
    const deliveries = item[smallBatchAttributeOf(slot)];
    // The release before has the only delivery of a lease.
    return deliveries === undefined ? [] : [{ slot, lease, deliveries: [deliveries].flat().map(String) }];
  });

/** The subscription's item as it would be if the leases in these slots had counted their deliveries and left. */
export const withTallies = (item: Item, tallies: ReadonlyMap<number, Tally>): Item => {
  const kept = Object.entries(item).filter(([name]) =>
    [...tallies.keys()].every((slot) => name !== attributeOf(slot) && name !== smallBatchAttributeOf(slot)),
  );
  const { totalSent, totalFailed, ...times } = [...tallies.values()].reduce(sumOf, emptyTally);
  const later = Object.entries(times).filter(([name, at]) => at !== undefined && !(String(item[name] ?? '') > at));
  return {
    ...Object.fromEntries([...kept, ...later]),
    totalSent: Number(item['totalSent'] ?? 0) + totalSent,
    totalFailed: Number(item['totalFailed'] ?? 0) + totalFailed,
  };
};

/** The leases that were evicted. */
export const evictedIn = (item: Item): ReadonlySet<string> =>
  (item['expelled'] as Set<string> | undefined) ?? new Set();

export const paceIn = (item: Item): Pace => ({
  leases: leasesIn(item),
  window: Number(item['window'] ?? firstWindow),
  slowUntilMs: Number(item['slowUntilMs'] ?? 0),
  lastMs: optionalNumber(item['lastMs']),
});

/** `ended`: it has counted all its deliveries. */
export const standingOf = (lease: string, item: Item, nowMs: number): 'under way' | 'dead' | 'evicted' | 'ended' => {
  if (evictedIn(item).has(lease)) return 'evicted';
  const isThere = [...leasesIn(item).values()].includes(lease);
  if (!isThere) return 'ended';
  return isDead(lease, nowMs) ? 'dead' : 'under way';
};

/** Since when all deliveries that ended have failed. */
export const failingSinceIn = (item: Item): string | undefined => optionalText(item['failingSince']);

/** When a delivery last succeeded. */
export const lastSentIn = (item: Item): string | undefined => optionalText(item['lastSentAt']);

/** What an update changes besides the totals. */
interface OtherChanges {
  readonly set?: Item;
  readonly removed?: readonly string[];
  /** Leases to add to the set of evicted ones, and to remove from it. */
  readonly evicted?: readonly string[];
  readonly forgotten?: readonly string[];
  /** Whether the success of the tally came after what is known of failures. */
  readonly endsFailing?: boolean;
  /** Whether a failure of the tally begins the time in which all have failed: one of a test does not, because no event is missed by it. */
  readonly beginsFailing?: boolean;
}

/** The parts of an update that adds a tally, sets other attributes and removes some. */
const addition = (
  { totalSent, totalFailed, lastSentAt, lastFailedAt }: Tally,
  {
    set: more = {},
    removed = [],
    evicted = [],
    forgotten = [],
    // One delivery that succeeds ends it.
    endsFailing = lastSentAt !== undefined,
    beginsFailing = true,
  }: OtherChanges = {},
) => {
  const set = Object.entries({ lastSentAt, lastFailedAt, ...more }).filter(([, value]) => value !== undefined);
  const add = Object.entries({ totalSent, totalFailed }).filter(([, step]) => step !== 0);
  const isFailing = beginsFailing && lastSentAt === undefined && lastFailedAt !== undefined;
  const gone = [...removed, ...(endsFailing ? ['failingSince'] : [])];
  const [arrived, left] = [evicted, forgotten].map((leases) => leases.length > 0);
  const part = (verb: string, parts: readonly string[]) => (parts.length > 0 ? ` ${verb} ${parts.join(', ')}` : '');
  const names = [
    ...[...set, ...add].map(([name]) => name),
    ...gone,
    ...(isFailing ? ['failingSince'] : []),
    ...(arrived || left ? ['expelled'] : []),
  ];
  return {
    UpdateExpression: [
      part('SET', [
        ...set.map(([name]) => `#${name} = :${name}`),
        ...(isFailing ? ['#failingSince = if_not_exists(#failingSince, :lastFailedAt)'] : []),
      ]),
      part('ADD', [...add.map(([name]) => `#${name} :${name}`), ...(arrived ? ['#expelled :expelled'] : [])]),
      part('DELETE', left ? ['#expelled :forgotten'] : []),
      part(
        'REMOVE',
        gone.map((name) => `#${name}`),
      ),
    ]
      .join('')
      .trim(),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries([...set, ...add].map(([name, value]) => [`:${name}`, value])),
      ...(arrived && { ':expelled': new Set(evicted) }),
      ...(left && { ':forgotten': new Set(forgotten) }),
    },
  };
};

/** The lease that takes a slot, and what becomes of those that were read in the slots. */
export interface Taking {
  readonly key: ItemKey;
  readonly slot: number;
  readonly id: string;
  /** The deliveries of the lease, if they are a small batch. */
  readonly smallBatch: readonly string[] | undefined;
  /** The item as it was read. */
  readonly read: Item;
  /** What leases that stayed in their slots add to the totals, by slot. */
  readonly uncounted: ReadonlyMap<number, Tally>;
  /** Evicted leases that are not asked about any more. */
  readonly forgotten: readonly string[];
}

/** Takes a slot that is free, or whose lease has stayed or died, and counts all that have stayed. Refused when any of these leases has changed. */
export const taking = ({ key, slot, id, smallBatch, read, uncounted, forgotten }: Taking) => {
  const there = leasesIn(read);
  const dead = uncounted.has(slot) ? undefined : there.get(slot);
  const others = [...uncounted.keys()].filter((one) => one !== slot);
  const tally = [...uncounted.values()].reduce(sumOf, emptyTally);
  const { lastSentAt: sentAt } = tally;
  // A time that was stored since the uncounted leases ended wins over theirs.
  const isOlderThan = (at: unknown): boolean => String(at ?? '') > (sentAt ?? '');
  const { ExpressionAttributeNames, ExpressionAttributeValues, UpdateExpression } = addition(tally, {
    set: {
      [attributeOf(slot)]: id,
      [smallBatchAttributeOf(slot)]: smallBatch,
      ...(isOlderThan(read['lastSentAt']) && { lastSentAt: undefined }),
    },
    removed: [
      ...others.flatMap((one) => [attributeOf(one), smallBatchAttributeOf(one)]),
      ...(smallBatch === undefined && read[smallBatchAttributeOf(slot)] !== undefined
        ? [smallBatchAttributeOf(slot)]
        : []),
    ],
    endsFailing: sentAt !== undefined && !isOlderThan(read['failingSince']),
    ...(dead === undefined ? { forgotten } : { evicted: [dead] }),
  });
  const asRead = [...(there.has(slot) ? [slot] : []), ...others];
  return {
    Key: key,
    UpdateExpression,
    ConditionExpression: [
      ...(there.has(slot) ? [] : [`attribute_not_exists(#${attributeOf(slot)})`]),
      ...asRead.map((one) => `#${attributeOf(one)} = :was${one}`),
    ].join(' AND '),
    ExpressionAttributeNames,
    ExpressionAttributeValues: {
      ...ExpressionAttributeValues,
      ...Object.fromEntries(asRead.map((one) => [`:was${one}`, there.get(one)])),
    },
  };
};

/** Gives a slot back. Nothing happens when the lease is there no more. */
export const givingBack = (key: ItemKey, slot: number, id: string) => ({
  Key: key,
  UpdateExpression: 'REMOVE #slot, #batch',
  ConditionExpression: '#slot = :id',
  ExpressionAttributeNames: { '#slot': attributeOf(slot), '#batch': smallBatchAttributeOf(slot) },
  ExpressionAttributeValues: { ':id': id },
});

/** Gives a lease's slot back, with what it learnt and counted. Refused when it was evicted. */
export const leaving = (
  key: ItemKey,
  slot: number,
  lease: string,
  tally: Tally,
  learnt: Pick<OtherChanges, 'set' | 'removed'>,
) => {
  const own = attributeOf(slot);
  const { ExpressionAttributeValues, ...parts } = addition(tally, {
    ...learnt,
    removed: [own, smallBatchAttributeOf(slot), ...(learnt.removed ?? [])],
  });
  return {
    Key: key,
    ...parts,
    ConditionExpression: `#${own} = :lease`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':lease': lease },
  };
};

interface Counting {
  /** The evicted lease that did not count it. */
  readonly of?: string;
  readonly isTest?: boolean;
}

/** Counts one delivery in a transaction. */
export const countWrite = (webhook: string, tally: Tally, { of, isTest = false }: Counting = {}): Write => {
  const { ExpressionAttributeValues, ...parts } = addition(tally, { beginsFailing: !isTest });
  return {
    Update: {
      Key: itemKeys.deliveryLeases(webhook),
      ...parts,
      ...(of !== undefined && { ConditionExpression: 'contains(expelled, :of)' }),
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...(of !== undefined && { ':of': of }) },
    },
  };
};
