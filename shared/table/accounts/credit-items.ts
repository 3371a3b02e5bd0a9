import {
  type CreditChange,
  type CreditCounter,
  type Credits,
  creditCounters,
  eachCounter,
  mostCredits,
} from '../../accounts/credits.ts';
import type { Price } from '../../messages/new-message.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';

// The only code that knows which items hold an account's credits. A new account has one; a busy one has several, its shards, because no two
// transactions can hold an item at the same time. A counter of a shard is what can be taken from it. `…Moved` is the part that came from other
// shards, or went to them if it is negative, so the rest is what the shard itself was given less what it has paid: moves do not change it, and
// the sum over all shards is right even when they are read one after the other while credits move.

/** The most shards that an account can have. */
export const mostCreditShards = 64;

export const creditKeys = (accountId: string, shards: number): ItemKey[] =>
  Array.from({ length: shards }, (_, shard) => keyOf(accountId, shard));

const keyOf = (accountId: string, shard: number): ItemKey =>
  shard === 0 ? itemKeys.credits(accountId) : itemKeys.creditShard(accountId, shard);

/** Credits that go from another shard to the one that pays. */
export interface TopUp {
  readonly from: number;
  readonly credits: number;
}

/** The shard that pays, and what it gets from others in the same transaction. */
export interface Payer {
  readonly shard: number;
  readonly topUps: readonly TopUp[];
}

/**
 * Subtracts a price from the account's credits; no write for a price of 0. Refused when a shard has less than is taken from it. `contacts`: how many
 * are created with that. The shard counts them, because it is written anyway.
 */
export const takeWrites = (
  accountId: string,
  { counter, credits }: Price,
  { shard, topUps }: Payer,
  contacts = 0,
): Write[] => {
  if (credits === 0) return [];
  const moved = total(topUps);
  return [
    shardWrite(accountId, shard, [{ counter, change: moved - credits, moved }], {
      ...(contacts > 0 && { adds: { contacts } }),
    }),
    ...topUps.map(({ from, credits: out }) => shardWrite(accountId, from, [{ counter, change: -out, moved: -out }])),
  ];
};

/**
 * Gives a price back to the shard that paid it. The message's row goes in the same transaction, or says from then on that it cost nothing: the
 * prices of all rows are what sends have taken.
 */
export const giveBackWrites = (accountId: string, { counter, credits, shard = 0 }: Price): Write[] =>
  credits === 0 ? [] : [shardWrite(accountId, shard, [{ counter, change: credits, moved: 0 }], { adds: { gains: 1 } })];

export type TopUps = Readonly<Record<CreditCounter, readonly TopUp[]>>;

/** On the condition that the credits are in one shard, or that no operator has changed them since they were read. */
export type Guard = 'in-one-shard' | { readonly changes: number };

/**
 * An operator's change of the counters, refused when one would leave its range. The first shard has all of it, and the number of such changes:
 * so a change can depend on the last one in spite of concurrent sends.
 */
export const operatorWrites = (accountId: string, change: CreditChange, topUps: TopUps, guard: Guard): Write[] => {
  const changed = creditCounters.filter((counter) => change[counter] !== 0);
  const moved = eachCounter((counter) => total(topUps[counter]));
  const raised = changed.filter((counter) => change[counter] > 0);
  const first = shardWrite(
    accountId,
    0,
    changed.map((counter) => ({ counter, change: change[counter] + moved[counter], moved: moved[counter] })),
    {
      adds: { changes: 1 },
      conditions: [
        'attribute_exists(PK)',
        ...raised.map((counter) => `${counter} <= :${counter}Most`),
        ...(guard === 'in-one-shard'
          ? creditCounters.map((counter) => `attribute_not_exists(${movedOf(counter)})`)
          : [guard.changes === 0 ? 'attribute_not_exists(changes)' : 'changes = :read']),
      ],
      values: {
        ...Object.fromEntries(raised.map((counter) => [`:${counter}Most`, mostCredits - change[counter]])),
        ...(guard !== 'in-one-shard' && guard.changes !== 0 && { ':read': guard.changes }),
      },
    },
  );
  const sources = new Set(creditCounters.flatMap((counter) => topUps[counter].map(({ from }) => from)));
  const others = [...sources].map((shard) => {
    const outOf = (counter: CreditCounter) => total(topUps[counter].filter(({ from }) => from === shard));
    const changes = creditCounters.map((counter) => ({ counter, change: -outOf(counter), moved: -outOf(counter) }));
    return shardWrite(
      accountId,
      shard,
      changes.filter(({ moved: out }) => out !== 0),
    );
  });
  return [first, ...others];
};

interface Change {
  readonly counter: CreditCounter;
  readonly change: number;
  /** The part of the change that comes from other shards. */
  readonly moved: number;
}

interface More {
  /** Plain counters of the item. */
  readonly adds?: Readonly<Record<string, number>>;
  readonly conditions?: readonly string[];
  readonly values?: Readonly<Record<string, number>>;
}

const shardWrite = (
  accountId: string,
  shard: number,
  changes: readonly Change[],
  { adds = {}, conditions = [], values = {} }: More = {},
): Write => {
  const sums = {
    ...adds,
    ...Object.fromEntries(
      changes.flatMap(({ counter, change, moved }) => [
        [counter, change],
        ...(moved === 0 ? [] : [[movedOf(counter), moved]]),
      ]),
    ),
  };
  const taken = changes.filter(({ change }) => change < 0);
  const all = [...taken.map(({ counter }) => `${counter} >= :${counter}Least`), ...conditions];
  return {
    Update: {
      Key: keyOf(accountId, shard),
      UpdateExpression: `SET entity = :entity ADD ${Object.keys(sums)
        .map((name) => `${name} :${name}`)
        .join(', ')}`,
      ...(all.length > 0 && { ConditionExpression: all.join(' AND ') }),
      ExpressionAttributeValues: {
        ':entity': 'credits',
        ...Object.fromEntries(Object.entries(sums).map(([name, value]) => [`:${name}`, value])),
        ...Object.fromEntries(taken.map(({ counter, change }) => [`:${counter}Least`, -change])),
        ...values,
      },
    },
  };
};

const movedOf = (counter: CreditCounter) => `${counter}Moved` as const;
const numberIn = (item: Item | undefined, name: string): number => Number(item?.[name] ?? 0);
const total = (topUps: readonly TopUp[]): number => topUps.reduce((sum, { credits }) => sum + credits, 0);

type Shards = readonly (Item | undefined)[];

/** The credits of these shards together. */
export const creditsIn = (shards: Shards): Credits =>
  eachCounter((counter) =>
    shards.reduce((sum, item) => sum + numberIn(item, counter) - numberIn(item, movedOf(counter)), 0),
  );

/** How many contacts were created by what took credits from these shards. */
export const contactsIn = (shards: Shards): number => shards.reduce((sum, item) => sum + numberIn(item, 'contacts'), 0);

/** Grows with everything that adds to the credits of these shards. */
export const gainsIn = (shards: Shards): number =>
  shards.reduce((sum, item) => sum + numberIn(item, 'gains') + numberIn(item, 'changes'), 0);

/** What the richest other shards give to one that is short, so that it can pay: half of what the last of them can spare goes with it. */
export const topUpsFrom = (
  shards: Shards,
  { counter, credits }: Price,
  payer: number,
): readonly TopUp[] | undefined => {
  const others = shards
    .map((item, from) => ({ from, balance: numberIn(item, counter) }))
    .filter(({ from }) => from !== payer);
  const topUps: TopUp[] = [];
  let missing = credits - numberIn(shards[payer], counter);
  for (const { from, balance } of others.sort((a, b) => b.balance - a.balance)) {
    if (missing <= 0 || balance === 0) break;
    topUps.push({ from, credits: balance > missing ? missing + Math.floor((balance - missing) / 2) : balance });
    missing -= balance;
  }
  return missing > 0 ? undefined : topUps;
};

/** All shards of an account, from the first. An account whose credits never moved has them in the first. */
export const readCredits = async (table: Table, accountId: string): Promise<readonly [Item, ...Shards] | undefined> => {
  const [firstKey, ...otherKeys] = creditKeys(accountId, mostCreditShards);
  const first = firstKey && (await table.get(firstKey));
  return first && [first, ...(hasMoved(first) ? await table.getAll(otherKeys) : [])];
};

const hasMoved = (first: Item): boolean => creditCounters.some((counter) => first[movedOf(counter)] !== undefined);
