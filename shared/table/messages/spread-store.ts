import { causeOf, log } from '../../kit/log.ts';
import type { Clock } from '../../kit/time.ts';
import { doubled, raised, rightForMs, type Spread } from '../../messages/spread.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

/** An account without a history is of the release before. */
const spreadIn = (account: Item): Spread => (account['messageSpread'] ?? []) as Spread;

/** How the messages of accounts are spread. Histories are kept in memory, because a history is right for a minute, and for older ids for ever. */
export const spreadStore = (table: Table, clock: Clock = Date.now) => {
  const known = new Map<string, { readonly spread: Spread; readonly readMs: number }>();

  /** Call it before an account's item is read, and what it returns with the item: then the history needs no read of its own. */
  const learning = () => {
    const readMs = clock();
    return (account: Item): Spread => {
      const [id, spread] = [String(account['account']), spreadIn(account)];
      if (readMs >= (known.get(id)?.readMs ?? 0)) known.set(id, { spread, readMs });
      return spread;
    };
  };

  const read = async (accountId: string): Promise<Spread | undefined> => {
    const learn = learning();
    const item = await table.get(itemKeys.account(accountId));
    return item && learn(item);
  };

  const change = async (
    accountId: string,
    to: (before: Spread, nowMs: number) => Spread,
  ): Promise<Spread | undefined> => {
    const before = await read(accountId);
    const after = before && to(before, clock());
    if (!after || after === before) return after;
    const { done } = await table.update({
      Key: itemKeys.account(accountId),
      UpdateExpression: 'SET messageSpread = :after',
      ConditionExpression:
        before.length > 0 ? 'messageSpread = :before' : 'attribute_exists(PK) AND attribute_not_exists(messageSpread)',
      ExpressionAttributeValues: { ':after': after, ...(before.length > 0 && { ':before': before }) },
    });
    return done ? after : change(accountId, to);
  };

  /** An account's history, right for ids up to this time. An unknown account has none. */
  const of = async (accountId: string, timeMs: number): Promise<Spread> => {
    const memory = known.get(accountId);
    const isRight = memory && Math.min(timeMs, clock()) < memory.readMs + rightForMs;
    return isRight ? memory.spread : ((await read(accountId)) ?? []);
  };

  return {
    learning,

    of,

    /** Spreads new messages over at least so many shards, from two minutes later on. Returns the history, or undefined for an unknown account. */
    raise: (accountId: string, shards: number): Promise<Spread | undefined> =>
      change(accountId, (before, nowMs) => raised(before, shards, nowMs)),

    /** Spreads new messages over twice as many shards, up to a limit, for an account whose writes are throttled. When it fails, the next one does it. */
    double: async (accountId: string): Promise<void> => {
      const { spread = [] } = known.get(accountId) ?? {};
      if (spread.length > 0 && doubled(spread, clock()) === spread) return;
      await change(accountId, doubled).catch((thrown: unknown) =>
        log('error', 'messages could not be spread further', { accountId, ...causeOf(thrown) }),
      );
    },
  };
};

export type SpreadStore = ReturnType<typeof spreadStore>;
