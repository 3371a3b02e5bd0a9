import { randomUUID } from 'node:crypto';
import { type Claim, newClaim } from '../../checkout/claim.ts';
import { type FoundPayment, type Payment, paidDigest } from '../../checkout/payment.ts';
import { pollIntervalMs } from '../../checkout/poll.ts';
import type { CheckoutSession, FoundSession } from '../../checkout/session.ts';
import { maxPayments } from '../../checkout/session-status.ts';
import type { Settlement } from '../../checkout/settlement.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { type CursorPage, filteredPage, type WantedPage } from '../../kit/cursor-page.ts';
import { isId } from '../../kit/id.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { everyId } from '../every-id.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Table, Write } from '../table.ts';
import { putNew } from '../writes.ts';
import { paymentFrom, paymentItem, sealedOpening, sessionStateFrom } from './checkout-items.ts';
import { type Change, claimChange, claimGiven, releaseChange, withMore } from './checkout-writes.ts';
import { type Entry, type ListFilter, listings, paymentPointer, sessionEntryItem } from './listings.ts';
import { openSessions } from './session-openings.ts';
import { settlementWrites } from './settlement-writes.ts';

/** The session must be open, and no other payment added since it was read, so that two taps add one payment. */
const liveWrite = ({ id: sessionId, paymentCount }: CheckoutSession, { id, createdMs }: Payment): Write => ({
  Update: {
    Key: itemKeys.checkoutSession(sessionId),
    UpdateExpression:
      'SET livePaymentId = :payment, paymentStatus = :pending, payments = payments + :one REMOVE expiresAt',
    ConditionExpression:
      '#status = :open AND expiresMs > :now AND attribute_not_exists(livePaymentId) AND payments = :count AND payments < :max',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':payment': id,
      ':pending': 'PENDING',
      ':one': 1,
      ':open': 'OPEN',
      ':now': createdMs,
      ':count': paymentCount,
      ':max': maxPayments,
    },
  },
});

/** Of so many transactions at most is it known that they were reported paid. A merchant can sign what their gateway would, and let the row grow. */
const mostReported = 100;

/** Where in the transaction of a new payment its session is. */
const sessionPosition = 0;

/** Payments of checkout sessions. A session, its payments and their refunds are one partition. */
export const paymentStore = (table: Table, vault: Vault) => {
  const find = async (sessionId: string, paymentId: string): Promise<FoundPayment | undefined> => {
    if (!isId(sessionId) || !isId(paymentId)) return undefined;
    const keys = [itemKeys.checkoutSession(sessionId), itemKeys.payment(sessionId, paymentId)];
    const [row, payment] = await table.getAll(keys);
    if (!row || !payment) return undefined;
    const account = accountRefIn(row);
    const cipher = await vault.unlock(account);
    const [session] = await openSessions(table, cipher, [row]);
    return session && { account, session, payment: paymentFrom(cipher, payment) };
  };

  /** Several payments with their sessions, in the order of the entries; undefined where there is none. */
  const findAll = async (
    account: AccountRef,
    cipher: Cipher,
    entries: readonly Entry[],
  ): Promise<(FoundPayment | undefined)[]> => {
    const [rows, payments] = await Promise.all([
      table.getAll(entries.map(({ session }) => itemKeys.checkoutSession(session))),
      table.getAll(entries.map(({ session, id }) => itemKeys.payment(session, id))),
    ]);
    const sessions = await openSessions(table, cipher, rows);
    return entries.map((_, n) => {
      const [session, payment] = [sessions[n], payments[n]];
      return session && payment && { account, session, payment: paymentFrom(cipher, payment) };
    });
  };

  const update = ({ id, sessionId }: Payment, change: Change) =>
    table.update({ Key: itemKeys.payment(sessionId, id), ...change });

  /** True once in five seconds, for what is noted in this attribute. */
  const claimInterval = async (payment: Payment, attribute: string, nowMs: number): Promise<boolean> => {
    const { done } = await update(payment, {
      UpdateExpression: 'SET #at = :now',
      ConditionExpression: 'attribute_exists(PK) AND (attribute_not_exists(#at) OR #at <= :before)',
      ExpressionAttributeNames: { '#at': attribute },
      ExpressionAttributeValues: { ':now': nowMs, ':before': nowMs - pollIntervalMs },
    });
    return done;
  };

  return {
    /** A payment with its session: one call. */
    find,

    /** A payment with its session, by the payment's id alone: two calls. */
    findById: async (paymentId: string): Promise<FoundPayment | undefined> => {
      const pointer = isId(paymentId) ? await table.get(itemKeys.paymentId(paymentId)) : undefined;
      return pointer && find(String(pointer['session']), paymentId);
    },

    /** All payments of a session, oldest first. */
    listOfSession: async ({ account, session: { id } }: FoundSession): Promise<Payment[]> => {
      const { SK: from } = itemKeys.payment(id, everyId.from);
      const { SK: to } = itemKeys.payment(id, everyId.to);
      const items = await table.query(partitions.checkout(id), { from, to, newestFirst: false });
      const cipher = await vault.unlock(account);
      return items.map((item) => paymentFrom(cipher, item));
    },

    /** Payments of an account, newest first. */
    listOfAccount: async (
      account: AccountRef,
      filter: ListFilter,
      page: WantedPage,
      fits: (found: FoundPayment) => boolean = () => true,
    ): Promise<CursorPage<FoundPayment>> => {
      const cipher = await vault.unlock(account);
      const lists = listings(table, account.id, cipher);
      const read = async (part: WantedPage) => {
        const entries = await lists.payments(filter, part);
        const found = await findAll(account, cipher, entries);
        return entries.map(({ id }, n) => ({ id, row: found[n] }));
      };
      // Those of the release before are listed in both modes.
      const isOfMode = ({ payment }: FoundPayment) => payment.livemode === (filter.livemode ?? payment.livemode);
      return filteredPage(page, read, (found) => isOfMode(found) && fits(found));
    },

    /** Stores a payment as the one that its session waits for. If the session has changed since it was read, stores nothing and returns the session as it is now. */
    add: async ({ account, session }: FoundSession, payment: Payment): Promise<'added' | CheckoutSession> => {
      const cipher = await vault.unlock(account);
      const refused = await table.transact([
        liveWrite(session, payment),
        putNew(paymentItem(account, cipher, payment)),
        { Put: { Item: paymentPointer(payment) } },
        // Stays from now on, as the session does.
        ...(session.paymentCount === 0 ? [{ Put: { Item: sessionEntryItem(cipher, session, undefined) } }] : []),
      ]);
      if (!refused) return 'added';
      const stored = refused.failed.find(({ position }) => position === sessionPosition)?.item;
      return stored ? { ...session, ...sessionStateFrom(stored) } : session;
    },

    /** Stores where the payer pays. The first opening stands; false: there was one already, or the payment has ended. */
    saveOpening: async (
      { account, payment }: FoundPayment,
      opening: { readonly redirectUrl: string; readonly reference: string },
    ): Promise<boolean> => {
      const { done } = await update(payment, {
        UpdateExpression: 'SET opened = :opened',
        ConditionExpression: '#status = :pending AND attribute_not_exists(opened)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':opened': sealedOpening(await vault.unlock(account), payment, opening),
          ':pending': 'PENDING',
        },
      });
      return done;
    },

    /** The claim to confirm a payment, for its payer's return at this time; undefined: another run has it, or the payment has ended. */
    claimConfirmation: async (payment: Payment, nowMs: number, returnedMs?: number): Promise<Claim | undefined> => {
      const claim = newClaim(randomUUID(), nowMs);
      const change = claimChange(claim);
      const noted =
        returnedMs === undefined ? change : withMore(change, ', returnedMs = :returned', { ':returned': returnedMs });
      return claimGiven(await update(payment, noted), claim);
    },

    /**
     * Releases that claim: nothing has been confirmed, and the payer may come back for it. `isLost`: its confirmation was made, or may have been, and
     * the gateway did not know of it a minute later. False: another run has the claim now.
     */
    releaseConfirmation: async (payment: Payment, claim: Claim, { isLost = false } = {}): Promise<boolean> => {
      const change = releaseChange(claim);
      const counted = isLost ? withMore(change, ' ADD lostConfirmations :one', { ':one': 1 }) : change;
      return (await update(payment, counted)).done;
    },

    /** Whether a poll may query the gateway now: once in five seconds. Most polls come sooner, and write nothing. */
    claimPoll: async ({ payment }: Pick<FoundPayment, 'payment'>, nowMs: number): Promise<boolean> =>
      nowMs >= (payment.polledMs ?? 0) + pollIntervalMs && claimInterval(payment, 'polledMs', nowMs),

    /** The same for a payer's return, which the polls of their pages must not keep from it. */
    claimReturn: ({ payment }: Pick<FoundPayment, 'payment'>, nowMs: number) =>
      claimInterval(payment, 'returnAskedMs', nowMs),

    /** Notes that the gateway has notified us that a payment is paid with this transaction. One beyond the most takes the place of all before it. */
    noteReportedPaid: async (payment: Payment, transactionId: string, nowMs: number): Promise<void> => {
      const isFull = payment.reportedPaid.size >= mostReported;
      await update(payment, {
        UpdateExpression: `SET reportedPaidMs = :now${isFull ? ', reportedPaid =' : ' ADD reportedPaid'} :transaction`,
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':now': nowMs, ':transaction': new Set([paidDigest(payment, transactionId)]) },
      });
    },

    /** Stores a settlement, all of it or nothing. False: payment or session has changed since it was read, so judge again. */
    saveSettlement: async (found: FoundPayment, settlement: Settlement): Promise<boolean> => {
      const cipher = await vault.unlock(found.account);
      return (await table.transact(settlementWrites(cipher, found, settlement))) === undefined;
    },
  };
};

export type PaymentStore = ReturnType<typeof paymentStore>;
