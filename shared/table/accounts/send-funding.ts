import { Unavailable } from '../../kit/fault.ts';
import { causeOf, log } from '../../kit/log.ts';
import type { Price } from '../../messages/new-message.ts';
import type { Item, Table, Write } from '../table.ts';
import {
  creditKeys,
  creditsIn,
  gainsIn,
  mostCreditShards,
  type Payer,
  takeWrites,
  topUpsFrom,
} from './credit-items.ts';
import { raiseCreditShards } from './credit-shards.ts';

/** `stale`: the credits are somewhere else than this send believes. */
export type Shortage = 'covered' | 'unfunded' | 'stale';

/** A send looks for credits until then, while others take what it has found. */
const searchMs = 5_000;

/** A send that meets this many conflicts on credits has them spread further. */
const conflictsOfBusyAccount = 2;

interface Wanted {
  readonly price: Price;
  /** The shards of the account's credits as they were read; there may be more by now. */
  readonly shards: number;
  /** How many contacts the send creates. */
  readonly contacts: number;
}

/**
 * How one send pays: from a shard at random, after a conflict from another one, because waiting for the same one does not help on a busy
 * account. If that shard is short, others top it up in the transaction of the send.
 */
export const fundingOf = (
  table: Table,
  accountId: string,
  { price, shards, contacts }: Wanted,
  random = Math.random,
) => {
  const deadlineMs = performance.now() + searchMs;
  const below = (limit: number) => Math.floor(random() * limit);
  let payer: Payer = { shard: below(shards), topUps: [] };
  let conflicts = 0;

  const read = () => table.getAll(creditKeys(accountId, shards));

  return {
    /** The price, with who pays it. */
    price: (): Price => (payer.shard === 0 ? price : { ...price, shard: payer.shard }),

    writes: (): Write[] => takeWrites(accountId, price, payer, contacts),

    /** After a conflict on credits. */
    payElsewhere: (): void => {
      conflicts += 1;
      if (shards > 1) payer = { shard: (payer.shard + 1 + below(shards - 1)) % shards, topUps: [] };
    },

    /**
     * What to do when the payer was short: `refused` is the shard as it was then. The account is unfunded only if its credits were short at one
     * moment: when all shards had been read, each had at most what was read, unless it gained something before it was read again. One item
     * is such a moment on its own.
     */
    cover: async (refused: Item | undefined): Promise<Shortage> => {
      if (performance.now() > deadlineMs) throw new Unavailable('an account has too many sends for its last credits');
      const found = shards === 1 ? [refused] : await read();
      const topUps = topUpsFrom(found, price, payer.shard);
      if (topUps) {
        payer = { ...payer, topUps };
        return 'covered';
      }
      if (creditsIn(found)[price.counter] >= price.credits) return 'stale';
      return shards === 1 || gainsIn(await read()) === gainsIn(found) ? 'unfunded' : 'stale';
    },

    /** Doubles the shards of an account whose sends meet one another. Only later sends gain by it, so this one does not depend on it. */
    spreadIfBusy: async (): Promise<void> => {
      if (conflicts < conflictsOfBusyAccount || shards >= mostCreditShards) return;
      try {
        const creditShards = await raiseCreditShards(table, accountId, 2 * shards);
        log('info', 'credits are spread over more shards', { accountId, creditShards });
      } catch (thrown) {
        log('warn', 'credits could not be spread over more shards', { accountId, ...causeOf(thrown) });
      }
    },
  };
};

export type Funding = ReturnType<typeof fundingOf>;
