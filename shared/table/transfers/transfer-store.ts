import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { isId } from '../../kit/id.ts';
import { longestRunMs } from '../../kit/longest-run.ts';
import { dayMs } from '../../kit/time-units.ts';
import type { TransferKind } from '../../transfers/jobs.ts';
import { itemKeys, keyIn } from '../keys.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Table } from '../table.ts';

/** As long as its files. */
const keptSeconds = 7 * 86_400;

/** All tries of a job take less; what is parked then can be replayed until the next day. */
const patienceMs = dayMs;

/** When a transfer that is under way is given up: long after its last run began. The release before does not say when that was. */
const givenUpAtMs = ({ lastRunMs }: Item): number =>
  lastRunMs === undefined ? Number.POSITIVE_INFINITY : Number(lastRunMs) + patienceMs;

/** Whether no run goes on with a transfer that is under way. */
export const isGivenUp = (item: Item, nowMs: number): boolean => givenUpAtMs(item) <= nowMs;

/** The right of one run to go on with a transfer. What a run writes that has lost it is refused. */
export interface Hold {
  readonly id: string;
  readonly run: string;
  readonly step: number;
}

interface Transfer {
  /** Undefined while it is under way. */
  readonly endedMs: number | undefined;
}

/** What is known of a transfer, of any kind. */
export const transferStateIn = (cipher: Cipher, { PK, SK, state }: Item): unknown =>
  JSON.parse(cipher.open(sealedPlace(keyIn({ PK, SK }), 'state'), state));

/**
 * Imports and exports of one kind: long work in many runs, of which each goes on where the last one ended. A run is known by its job, so a job that
 * comes again goes on with what it held. What no run has gone on with for a day is given up: it is as `givenUp` says, and no run gets it again.
 */
export const transferStore = <State extends Transfer>(
  table: Table,
  vault: Vault,
  kind: TransferKind,
  givenUp: (state: State, atMs: number) => State,
) => {
  const sealed = async (account: AccountRef, id: string, state: State) => {
    const cipher = await vault.unlock(account);
    return cipher.seal(sealedPlace(itemKeys.transfer(account.id, id), 'state'), JSON.stringify(state));
  };

  const stateIn = async (account: AccountRef, item: Item): Promise<State> =>
    transferStateIn(await vault.unlock(account), item) as State;

  return {
    /** Returns what is kept: what an earlier attempt has added, if there was one. */
    add: async (account: AccountRef, id: string, state: State, nowMs: number): Promise<State> => {
      const known = await table.add({
        ...itemKeys.transfer(account.id, id),
        entity: 'transfer',
        account: account.id,
        kind,
        step: 0,
        lastRunMs: nowMs,
        state: await sealed(account, id, state),
        expiresAt: Math.ceil(nowMs / 1_000) + keptSeconds,
      });
      return known ? stateIn(account, known) : state;
    },

    find: async (account: AccountRef, id: string, nowMs: number): Promise<State | undefined> => {
      const item = isId(id) ? await table.get(itemKeys.transfer(account.id, id)) : undefined;
      if (item?.['kind'] !== kind || Number(item['expiresAt']) * 1_000 <= nowMs) return undefined;
      const state = await stateIn(account, item);
      return state.endedMs === undefined && isGivenUp(item, nowMs) ? givenUp(state, givenUpAtMs(item)) : state;
    },

    /** Undefined while another run goes on with it, because that one queues the next; and once it is given up. */
    claim: async (
      account: AccountRef,
      id: string,
      run: string,
      nowMs: number,
    ): Promise<{ readonly hold: Hold; readonly state: State } | undefined> => {
      const claimed = await table.update({
        Key: itemKeys.transfer(account.id, id),
        UpdateExpression: 'SET #run = :run, claimedUntil = :until, lastRunMs = :now',
        ConditionExpression:
          'kind = :kind AND (attribute_not_exists(#run) OR #run = :run OR claimedUntil < :now) AND (attribute_not_exists(lastRunMs) OR lastRunMs > :givenUp)',
        ExpressionAttributeNames: { '#run': 'run' },
        ExpressionAttributeValues: {
          ':run': run,
          ':until': nowMs + longestRunMs,
          ':kind': kind,
          ':now': nowMs,
          ':givenUp': nowMs - patienceMs,
        },
      });
      if (!claimed.done) return undefined;
      const hold = { id, run, step: Number(claimed.item['step']) };
      return { hold, state: await stateIn(account, claimed.item) };
    },

    /** Ends a run with what it has done. False when another one has taken over, and nothing is written. */
    save: async (account: AccountRef, { id, run, step }: Hold, state: State): Promise<boolean> => {
      const saved = await table.update({
        Key: itemKeys.transfer(account.id, id),
        UpdateExpression: 'SET #state = :state, step = :next REMOVE #run, claimedUntil',
        ConditionExpression: '#run = :run AND step = :step',
        ExpressionAttributeNames: { '#run': 'run', '#state': 'state' },
        ExpressionAttributeValues: {
          ':state': await sealed(account, id, state),
          ':next': step + 1,
          ':run': run,
          ':step': step,
        },
      });
      return saved.done;
    },
  };
};

export type TransferStore<State extends Transfer> = ReturnType<typeof transferStore<State>>;
