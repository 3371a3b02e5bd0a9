import { randomUUID } from 'node:crypto';
import { type Claim, newClaim } from '../../checkout/claim.ts';
import type { Chaos } from '../../checkout/gateway-answer.ts';
import type { FoundPayment, Payment } from '../../checkout/payment.ts';
import type { CheckoutSession, FoundSession } from '../../checkout/session.ts';
import type { Settlement } from '../../checkout/settlement.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { firstIdAt, isId, lastIdAt } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import {
  accountIn,
  paymentFrom,
  paymentItem,
  refundItem,
  sealedOpening,
  sealedOutcome,
  sessionFrom,
  sessionItem,
} from './checkout-items.ts';
import {
  beginWrite,
  claimChange,
  type KeyMode,
  keyWrite,
  pointerWrite,
  putNew,
  releaseChange,
  sessionIdUnder,
  sessionKeyPlace,
  sessionWrite,
  settleWrite,
} from './checkout-writes.ts';

/** Where in the transaction of a new session its idempotency key is. */
const isKey = 1;

/** How often a payment may be asked about because somebody polls. */
const pollEveryMs = 5_000;

/** Checkout sessions and their payments. A session, its payments and their refunds are one partition. */
export const checkoutStore = (table: Table, vault: Vault) => {
  const openSession = async (item: Item | undefined): Promise<FoundSession | undefined> => {
    if (!item) return undefined;
    const account = accountIn(item);
    return { account, session: sessionFrom(await vault.unlock(account), item) };
  };

  const find = async (sessionId: string): Promise<FoundSession | undefined> =>
    openSession(isId(sessionId) ? await table.get(itemKeys.checkoutSession(sessionId)) : undefined);

  const paymentIn = async (sessionId: string, paymentId: string): Promise<FoundPayment | undefined> => {
    if (!isId(sessionId) || !isId(paymentId)) return undefined;
    const keys = [itemKeys.checkoutSession(sessionId), itemKeys.payment(sessionId, paymentId)];
    const [sessionRow, paymentRow] = await table.getAll(keys);
    const found = await openSession(sessionRow);
    if (!found || !paymentRow) return undefined;
    return { ...found, payment: paymentFrom(await vault.unlock(found.account), paymentRow) };
  };

  const updatePayment = ({ id, sessionId }: Payment, change: Omit<Parameters<Table['update']>[0], 'Key'>) =>
    table.update({ Key: itemKeys.payment(sessionId, id), ...change });

  return {
    /**
     * Keeps a new session. Under an idempotency key of the last 24 hours, the session that the key made is given instead: parallel requests
     * all get the same.
     */
    createSession: async (
      account: AccountRef,
      session: CheckoutSession,
      { idempotencyKey, nowMs }: { readonly idempotencyKey: string | undefined; readonly nowMs: number },
    ): Promise<{ readonly session: CheckoutSession; readonly isReplay: boolean }> => {
      const item = { ...sessionItem(account, await vault.unlock(account), session) };
      if (idempotencyKey === undefined) {
        await table.put({ Item: item });
        return { session, isReplay: false };
      }
      const refused = await table.transact([putNew(item), keyWrite(session, idempotencyKey, nowMs)]);
      if (!refused) return { session, isReplay: false };
      const known = await find(String(refused.failed.find(({ position }) => position === isKey)?.item?.['session']));
      if (!known) throw new InternalError('another item has the id of a new session', { sessionId: session.id });
      return { session: known.session, isReplay: true };
    },

    /** The session that an idempotency key of the last 24 hours made. */
    sessionUnder: async (
      account: AccountRef,
      mode: KeyMode,
      { idempotencyKey, nowMs }: { readonly idempotencyKey: string; readonly nowMs: number },
    ): Promise<CheckoutSession | undefined> => {
      const id = sessionIdUnder(await table.get(sessionKeyPlace(account.id, mode, idempotencyKey)), nowMs);
      return id === undefined ? undefined : (await find(id))?.session;
    },

    find,

    /** A payment of a session: one call. */
    paymentIn,

    /** All payments of a session, the first one first. */
    attempts: async ({ account, session: { id } }: FoundSession): Promise<Payment[]> => {
      const { SK: from } = itemKeys.payment(id, firstIdAt(0));
      const { SK: to } = itemKeys.payment(id, lastIdAt(Number.MAX_SAFE_INTEGER));
      const items = await table.query(partitions.checkout(id), { from, to, newestFirst: false });
      const cipher = await vault.unlock(account);
      return items.map((item) => paymentFrom(cipher, item));
    },

    /** A payment, by its id alone: two calls. */
    payment: async (paymentId: string): Promise<FoundPayment | undefined> => {
      const pointer = isId(paymentId) ? await table.get(itemKeys.paymentId(paymentId)) : undefined;
      return pointer && paymentIn(String(pointer['session']), paymentId);
    },

    /** Payments of an account, newest first, after the payment with the id `cursor`. */
    payments: async (
      account: AccountRef,
      { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
    ): Promise<Payment[]> => {
      const pointers = await table.query(partitions.payments(account.id), {
        from: firstIdAt(0),
        to: cursor ?? lastIdAt(Number.MAX_SAFE_INTEGER),
        newestFirst: true,
        limit: limit + 1,
      });
      const wanted = pointers.filter(({ GSI1SK }) => GSI1SK !== cursor).slice(0, limit);
      const items = await table.getAll(
        wanted.map(({ session, GSI1SK }) => itemKeys.payment(String(session), String(GSI1SK))),
      );
      const cipher = await vault.unlock(account);
      return items.flatMap((item) => (item ? [paymentFrom(cipher, item)] : []));
    },

    /** Keeps a payment as the one under way, if the session is open and no other is. */
    begin: async (
      { account, session }: FoundSession,
      payment: Payment,
    ): Promise<'begun' | 'in_progress' | 'not_open'> => {
      const cipher = await vault.unlock(account);
      const refused = await table.transact([
        beginWrite(session, payment),
        putNew(paymentItem(account, cipher, payment)),
        pointerWrite(payment),
      ]);
      if (!refused) return 'begun';
      const now = refused.failed[0]?.item ?? {};
      const isOvertaken = now['livePaymentId'] !== undefined || now['payments'] !== session.payments;
      return now['status'] === 'OPEN' && isOvertaken ? 'in_progress' : 'not_open';
    },

    /** Notes where the payer pays. The first answer of a gateway stands; false: there was one already, or the payment has ended. */
    opened: async (
      { account, payment }: FoundPayment,
      opening: { readonly redirectUrl: string; readonly reference: string },
    ): Promise<boolean> => {
      const { done } = await updatePayment(payment, {
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

    /** The right to have a payment confirmed; undefined: another run has it, or the payment has ended. */
    claimConfirm: async (payment: Payment, nowMs: number): Promise<Claim | undefined> => {
      const claim = newClaim(randomUUID(), nowMs);
      const { done } = await updatePayment(payment, claimChange(claim));
      return done ? claim : undefined;
    },

    /** Gives that right back: nothing has been confirmed, and the payer may yet come back for it. False: it has gone over to another run. */
    releaseConfirm: async (payment: Payment, claim: Claim): Promise<boolean> =>
      (await updatePayment(payment, releaseChange(claim))).done,

    /** Whether a gateway may be asked because somebody polls: once in five seconds. */
    mayPoll: async ({ payment }: Pick<FoundPayment, 'payment'>, nowMs: number): Promise<boolean> => {
      const { done } = await updatePayment(payment, {
        UpdateExpression: 'SET polledMs = :now',
        ConditionExpression: 'attribute_exists(PK) AND (attribute_not_exists(polledMs) OR polledMs <= :before)',
        ExpressionAttributeValues: { ':now': nowMs, ':before': nowMs - pollEveryMs },
      });
      return done;
    },

    /** Changes a payment and all that goes with it, both or neither. False: somebody was faster, so judge again by what there is now. */
    settle: async ({ account, session, payment }: FoundPayment, settlement: Settlement): Promise<boolean> => {
      const cipher = await vault.unlock(account);
      const { session: sessionChange, refund } = settlement;
      const refused = await table.transact([
        settleWrite(payment, settlement.payment, sealedOutcome(cipher, payment, settlement.payment)),
        ...(sessionChange ? [sessionWrite(session, sessionChange)] : []),
        ...(refund ? [putNew(refundItem(account, cipher, refund))] : []),
      ]);
      return refused === undefined;
    },

    /** Ends a session whose time is up and that waits for no payment. False: it has ended already, waits, or has time. */
    expire: async ({ id }: CheckoutSession, nowMs: number): Promise<boolean> => {
      const { done } = await table.update({
        Key: itemKeys.checkoutSession(id),
        UpdateExpression: 'SET #status = :expired',
        ConditionExpression: '#status = :open AND expiresMs <= :now AND attribute_not_exists(livePaymentId)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':expired': 'EXPIRED', ':open': 'OPEN', ':now': nowMs },
      });
      return done;
    },

    /** What is to happen to the payments that are begun from now on. False: no such session, or one of live mode. */
    setChaos: async (sessionId: string, chaos: Chaos | undefined): Promise<boolean> => {
      if (!isId(sessionId)) return false;
      const { done } = await table.update({
        Key: itemKeys.checkoutSession(sessionId),
        UpdateExpression: chaos === undefined ? 'REMOVE chaos' : 'SET chaos = :chaos',
        ConditionExpression: 'livemode = :false',
        ExpressionAttributeValues: { ':false': false, ...(chaos !== undefined && { ':chaos': chaos }) },
      });
      return done;
    },
  };
};

export type CheckoutStore = ReturnType<typeof checkoutStore>;
