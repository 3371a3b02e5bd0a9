import { randomUUID } from 'node:crypto';
import type { AccountRef } from '../../shared/kit/account-ref.ts';
import type { Vault } from '../../shared/kit/cipher.ts';
import { type Clock, iso } from '../../shared/kit/time.ts';
import { accountStore } from '../../shared/table/accounts/account-store.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import type { DueMessage } from '../../shared/table/messages/due-items.ts';
import { reviewStore } from '../../shared/table/messages/review-store.ts';
import { spreadStore } from '../../shared/table/messages/spread-store.ts';
import { textSendStore } from '../../shared/table/messages/text-send-store.ts';
import { peopleKeyOwner } from '../../shared/table/people/people-key.ts';
import type { Table } from '../../shared/table/table.ts';
import { allAccounts } from '../operators/all-accounts.ts';

interface Wishes {
  /** The table that served until now, if it can be read and is right about messages. */
  readonly former?: Pick<Table, 'getAll'> | undefined;
  readonly isDryRun?: boolean;
}

/**
 * `known`: it is now what it was in the former table. `uncertain`: a text that its provider may have taken; it is not sent again, and counts as sent
 * when no report arrives. `held`: a scheduled message that waits for a decision.
 */
export interface Settled {
  readonly account: string;
  readonly message: string;
  readonly channel: DueMessage['channel'];
  readonly outcome: 'known' | 'uncertain' | 'held';
}

type Named = Pick<DueMessage, 'message' | 'channel'>;

/**
 * Goes through the messages that wait in a restored table, and settles those that may have been sent since. It has to run while nothing reads the
 * table's changes. Repeated, it finishes what a run that was cut off has left.
 */
export const settling = ({ table, vault }: { readonly table: Table; readonly vault: Vault }, clock: Clock) => {
  const spreads = spreadStore(table, clock);
  const accounts = accountStore(table, vault, spreads);
  const texts = textSendStore(table, vault, spreads);
  const review = reviewStore(table, vault, spreads);

  /** Whether the former table knows what became of the message, which is then taken from there. */
  const isKnown = async (account: AccountRef, named: Named, { former, isDryRun }: Wishes): Promise<boolean> => {
    if (!former) return false;
    const { row, due } = await review.rowsIn(former, account, named);
    if (row && !isDryRun) await review.putRows(account, named, { other: former, row, due }, clock());
    return row !== undefined;
  };

  /** An email without an outcome is ended by the hourly round, and never sent again. */
  const settleBegun = async (
    account: AccountRef,
    named: Named,
    wishes: Wishes,
  ): Promise<Settled['outcome'] | undefined> => {
    if (await isKnown(account, named, wishes)) return 'known';
    if (named.channel === 'email') return undefined;
    const text = { message: named.message, channel: named.channel };
    if (wishes.isDryRun) return 'uncertain';
    await review.countMove(account, named, { to: 'sending' }, clock());
    // A claim that nobody releases says that the provider may have been called.
    await texts.pickUp(account, text, { token: randomUUID(), isRepeatable: false, nowMs: clock() });
    // Gateways that take our reference would be asked again, perhaps days later, when they do not remember it any more.
    await review.removeContent(account, named);
    return 'uncertain';
  };

  /** Whether a message may have been sent since: its time has come. The index says a later one of a message whose job has been queued. */
  const mayBeSent = async (account: AccountRef, named: Named): Promise<boolean> => {
    const { row } = await review.rowsIn(table, account, named);
    return row?.['held'] !== undefined && String(row['scheduledAt'] ?? '') <= iso(clock());
  };

  const settleDue = async (
    account: AccountRef,
    row: DueMessage,
    wishes: Wishes,
  ): Promise<Settled['outcome'] | undefined> => {
    if (await isKnown(account, row, wishes)) return 'known';
    // The former table also knows which were cancelled, or moved to another time.
    if (!wishes.former && !(await mayBeSent(account, row))) return undefined;
    if (!wishes.isDryRun) await review.hold(row);
    return 'held';
  };

  /** What comes from the former table may be sealed under a key that the restored one does not have. */
  const takeRing = async (id: string, { former, isDryRun }: Wishes): Promise<void> => {
    const [ring] = (await former?.getAll([itemKeys.keyRing(id)])) ?? [];
    if (ring && !isDryRun) await table.put({ Item: ring });
  };

  async function* settleBegunOf(account: AccountRef, wishes: Wishes): AsyncGenerator<Settled> {
    for await (const named of review.begun(account.id, clock())) {
      const outcome = await settleBegun(account, named, wishes);
      if (outcome) yield { account: account.id, ...named, outcome };
    }
  }

  /** With the former table also those that an earlier restore holds, as they are before others join them: that table may know what was decided. */
  async function* waiting({ former }: Wishes): AsyncGenerator<DueMessage> {
    const heldBefore = former ? await Array.fromAsync(review.held()) : [];
    yield* review.due();
    yield* heldBefore;
  }

  return async function* settle(wishes: Wishes = {}): AsyncGenerator<Settled> {
    await takeRing(peopleKeyOwner, wishes);
    for await (const account of allAccounts(accounts)) {
      await takeRing(account.id, wishes);
      yield* settleBegunOf(account, wishes);
    }
    for await (const row of waiting(wishes)) {
      const account = await accounts.find(row.account);
      const outcome = account && (await settleDue(account.ref, row, wishes));
      if (outcome) yield { account: row.account, message: row.message, channel: row.channel, outcome };
    }
  };
};
