import type { Spent } from '../../infra/local/emulators/dynamodb-contention.ts';
import { openShards } from '../../shared/chores/stranded.ts';
import { listShards } from '../../shared/table/checkout/listings.ts';
import { countShards } from '../../shared/table/contacts/contact-items.ts';
import { dueShards } from '../../shared/table/messages/due-items.ts';
import { startWorld } from '../world.ts';
import { type Operation, openAccount, openListening, type Spread } from './ceiling-operations.ts';

// From the calls that the real handlers make: which partition key or item of one account gives way first on AWS, and at which rate.

/** What a partition takes in a second. */
const partitionUnits = { Read: 3_000, Write: 1_000 } as const;
/**
 * How many transactions a second an item takes: each holds it for about 10 ms, and what meets a held item is refused. Up to this rate a
 * refused one soon finds it free.
 */
const transactionsPerItem = 30;

export const spreads: readonly Spread[] = [
  { credits: 1, messages: 1 },
  { credits: 8, messages: 2 },
  { credits: 64, messages: 8 },
];

/** Over how many partitions or items a key of a busy account is spread. */
const shardsOf = (key: string, { credits, messages }: Spread): number => {
  if (key.endsWith('#CREDITS') || /\/CREDITS$/.test(key)) return credits;
  if (/#MSG#/.test(key)) return messages;
  if (/ OPEN#message$/.test(key)) return dueShards;
  if (/ OPEN#/.test(key)) return openShards;
  if (/#(SESSIONS|PAY|REFUND)#/.test(key)) return listShards;
  return /COUNT$/.test(key) ? countShards : 1;
};

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A key without the account and the number of its shard. */
const familyOf = (key: string): string =>
  key
    .replace(/^A#[^#/]+/, 'A#{account}')
    .replaceAll(/#\d+(?=\/|$)/g, '')
    .replace('{account}/CREDITS', '{account}#CREDITS/CREDITS');

interface Loaded {
  /** Capacity units by kind and partition key. */
  readonly units: ReadonlyMap<string, number>;
  /** Transactions by item. */
  readonly transactions: ReadonlyMap<string, number>;
}

const addTo = (sums: Map<string, number>, key: string, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value);
};

const loadedBy = (spent: readonly Spent[]): Loaded => {
  const [units, transactions] = [new Map<string, number>(), new Map<string, number>()];
  for (const { kind, loads, held } of spent) {
    for (const { index = '', partition, units: some } of loads)
      addTo(units, `${kind} ${index}${index && ' '}${familyOf(partition)}`, some);
    for (const item of held) addTo(transactions, familyOf(itemName(item)), 1);
  }
  return { units, transactions };
};

/** A key as `PK/SK`, from the layer's name of an item. */
const itemName = (held: string): string => {
  const [, key] = JSON.parse(held) as [string, Record<string, { readonly S: string }>];
  return `${key['PK']?.S}/${key['SK']?.S}`;
};

export interface Ceiling {
  /** Operations a second on one account. */
  readonly perSecond: number;
  /** The partition key or item that gives way first. */
  readonly at: string;
}

/** What two runs have in common is what all such operations of an account share. The first call of a minute with a key costs more than others. */
const ceilingOf = (runs: readonly [Loaded, Loaded], operations: number, spread: Spread): Ceiling => {
  const shared = (of: (loaded: Loaded) => ReadonlyMap<string, number>): [string, number][] => {
    const [first, second] = [of(runs[0]), of(runs[1])];
    return [...first].flatMap(([key, value]) => {
      const other = second.get(key);
      return other === undefined ? [] : [[key, Math.min(value, other) / operations]];
    });
  };
  const byUnits = shared(({ units }) => units).map(([key, units]) => {
    const most = partitionUnits[key.startsWith('Read') ? 'Read' : 'Write'];
    return { perSecond: (most * shardsOf(key, spread)) / units, at: key };
  });
  const byItems = shared(({ transactions }) => transactions).map(([key, transactions]) => ({
    perSecond: (transactionsPerItem * shardsOf(key, spread)) / transactions,
    at: `transactions of ${key}`,
  }));
  const [lowest = { perSecond: Number.POSITIVE_INFINITY, at: 'nothing is shared' }] = [...byUnits, ...byItems].sort(
    (one, other) => one.perSecond - other.perSecond,
  );
  const at = lowest.at.replaceAll(uuid, '{id}').replaceAll(/#[\w-]{40,}/g, '#{fingerprint}');
  return { at, perSecond: Math.floor(lowest.perSecond) };
};

/** For each operation, its ceilings at the spreads. */
export const benchCeilings = async (): Promise<Record<string, readonly Ceiling[]>> => {
  const spent: Spent[] = [];
  const world = await startWorld({
    limits: { factor: 1e-9, pause: async () => undefined, onSpent: (one) => spent.push(one) },
  });
  const rows: Record<string, Ceiling[]> = {};
  const loadedIn = async ({ prepare }: Operation, run: number): Promise<Loaded> => {
    const work = await prepare(run);
    spent.length = 0;
    await work();
    return loadedBy(spent);
  };
  const add = async (operation: Operation, atSpreads: readonly Spread[]): Promise<void> => {
    const { name, count = 1 } = operation;
    const runs = [await loadedIn(operation, 1), await loadedIn(operation, 2)] as const;
    rows[name] = [...(rows[name] ?? []), ...atSpreads.map((spread) => ceilingOf(runs, count, spread))];
  };
  for (const spread of spreads)
    for (const operation of await openAccount(world, spread)) await add(operation, [spread]);
  for (const operation of await openListening(world)) await add(operation, spreads);
  await world.close();
  return rows;
};
