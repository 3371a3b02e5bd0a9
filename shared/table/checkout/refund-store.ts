import { randomUUID } from 'node:crypto';
import { type Claim, newClaim } from '../../checkout/claim.ts';
import type { FoundPayment, Payment } from '../../checkout/payment.ts';
import type { FoundRefund, Refund, RefundChange } from '../../checkout/refund.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { type CursorPage, filteredPage, type WantedPage } from '../../kit/cursor-page.ts';
import { digestOf } from '../../kit/digest.ts';
import { Unavailable } from '../../kit/fault.ts';
import { isId } from '../../kit/id.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { everyId } from '../every-id.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';
import { putNew } from '../writes.ts';
import { paymentFrom, refundFrom, refundItem, sealedRefundDetails, sessionFrom } from './checkout-items.ts';
import { claimChange, claimGiven, releaseChange, sameClaim, withMore } from './checkout-writes.ts';
import { type ListFilter, listings, refundPointer } from './listings.ts';

/** Changes a payment's refundable amount. */
const balanceWrite = (payment: Payment, byMinor: number): Write => ({
  Update: {
    Key: itemKeys.payment(payment.sessionId, payment.id),
    UpdateExpression: 'ADD refundableMinor :by',
    ConditionExpression: '#status = :succeeded AND refundableMinor >= :least',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':by': byMinor, ':least': Math.max(0, -byMinor), ':succeeded': 'SUCCEEDED' },
  },
});

const keyPlace = ({ sessionId, paymentId }: Pick<Refund, 'sessionId' | 'paymentId'>, idempotencyKey: string) =>
  itemKeys.refundKey(sessionId, digestOf(`${paymentId}\n${idempotencyKey}`));

const keyItem = (refund: Refund, idempotencyKey: string): Item => ({
  ...keyPlace(refund, idempotencyKey),
  entity: 'refund-key',
  refund: refund.id,
});

/** What the gateway calls a refund: of one payment it is the name of one refund. */
const referenceItem = ({ id, sessionId, paymentId }: Refund, reference: string): Item => ({
  ...itemKeys.refundReference(sessionId, digestOf(`${paymentId}\n${reference}`)),
  entity: 'refund-reference',
  refund: id,
});

/** Where in the transaction of a new refund its idempotency key is. */
const keyPosition = 3;

const refundsIn = (cipher: Cipher, items: Iterable<Item>, ofPayment: string): Refund[] =>
  Array.from(items)
    .filter(({ entity, payment }) => entity === 'refund' && payment === ofPayment)
    .map((item) => refundFrom(cipher, item));

/** Refunds, each taken off its payment's balance in the same transaction: together they never exceed it, also in parallel. */
export const refundStore = (table: Table, vault: Vault) => {
  /** A refund with its payment and its session: one call for the whole session, which mostly costs less than one read for each item. */
  const find = async (sessionId: string, refundId: string): Promise<FoundRefund | undefined> => {
    const items = await table.query(partitions.checkout(sessionId), {
      from: itemKeys.sessionBody(sessionId).SK,
      to: itemKeys.checkoutSession(sessionId).SK,
      newestFirst: false,
    });
    const rows = new Map(items.map((item) => [String(item['SK']), item]));
    const row = rows.get(itemKeys.refund(sessionId, refundId).SK);
    const paymentRow = rows.get(itemKeys.payment(sessionId, String(row?.['payment'])).SK);
    const sessionRow = rows.get(itemKeys.checkoutSession(sessionId).SK);
    if (!row || !paymentRow || !sessionRow) return undefined;
    const account = accountRefIn(row);
    const cipher = await vault.unlock(account);
    return {
      account,
      session: sessionFrom(cipher, sessionRow, rows.get(itemKeys.sessionBody(sessionId).SK)),
      payment: paymentFrom(cipher, paymentRow),
      refund: refundFrom(cipher, row),
      otherReferences: refundsIn(cipher, rows.values(), String(row['payment'])).flatMap(({ id, reference }) =>
        id === refundId || reference === undefined ? [] : [reference],
      ),
    };
  };

  const findByIdempotencyKey = async (
    { account, payment }: Pick<FoundPayment, 'account' | 'payment'>,
    idempotencyKey: string,
  ): Promise<Refund | undefined> => {
    const known = await table.get(keyPlace({ sessionId: payment.sessionId, paymentId: payment.id }, idempotencyKey));
    const item = known && (await table.get(itemKeys.refund(payment.sessionId, String(known['refund']))));
    return item && refundFrom(await vault.unlock(account), item);
  };

  return {
    /**
     * Keeps a new refund or, under an idempotency key that this payment has had before, gives the refund that the key made. Otherwise
     * how much is left of the payment, which is less.
     */
    add: async (
      { account, payment }: FoundPayment,
      refund: Refund,
      idempotencyKey?: string,
    ): Promise<{ readonly refund: Refund; readonly isReplay: boolean } | { readonly leftMinor: number }> => {
      const cipher = await vault.unlock(account);
      const refused = await table.transact([
        balanceWrite(payment, -refund.amountMinor),
        putNew(refundItem(account, cipher, refund)),
        putNew(refundPointer(refund, payment)),
        ...(idempotencyKey === undefined ? [] : [putNew(keyItem(refund, idempotencyKey))]),
      ]);
      if (!refused) return { refund, isReplay: false };
      if (idempotencyKey !== undefined && refused.failed.some(({ position }) => position === keyPosition)) {
        const earlier = await findByIdempotencyKey({ account, payment }, idempotencyKey);
        // The key may be there a moment before the refund that was written with it.
        if (!earlier) throw new Unavailable('the refund of an idempotency key is being created');
        return { refund: earlier, isReplay: true };
      }
      const stored = refused.failed.find(({ position }) => position === 0)?.item;
      return { leftMinor: stored?.['status'] === 'SUCCEEDED' ? Number(stored['refundableMinor']) : 0 };
    },

    /** The refund of a payment that this idempotency key made. */
    findByIdempotencyKey,

    find,

    /** A refund by its id alone: two calls. One of the release before is not found. */
    findById: async (refundId: string): Promise<FoundRefund | undefined> => {
      const pointer = isId(refundId) ? await table.get(itemKeys.refundId(refundId)) : undefined;
      return pointer && find(String(pointer['session']), refundId);
    },

    /** Refunds of an account, newest first, without those of the release before. */
    listOfAccount: async (
      account: AccountRef,
      filter: ListFilter,
      page: WantedPage,
      fits: (refund: Refund) => boolean,
    ): Promise<CursorPage<Refund>> => {
      const cipher = await vault.unlock(account);
      const lists = listings(table, account.id, cipher);
      const read = async (part: WantedPage) => {
        const entries = await lists.refunds(filter, part);
        const items = await table.getAll(entries.map(({ session, id }) => itemKeys.refund(session, id)));
        return entries.map(({ id }, n) => {
          const item = items[n];
          return { id, row: item && refundFrom(cipher, item) };
        });
      };
      return filteredPage(page, read, fits);
    },

    /** All refunds of a payment, oldest first. */
    list: async ({ account, payment }: FoundPayment): Promise<Refund[]> => {
      const cipher = await vault.unlock(account);
      const { SK: from } = itemKeys.refund(payment.sessionId, everyId.from);
      const { SK: to } = itemKeys.refund(payment.sessionId, everyId.to);
      const items = await table.query(partitions.checkout(payment.sessionId), { from, to, newestFirst: false });
      return refundsIn(cipher, items, payment.id);
    },

    /** The right to ask the gateway for the money to go back; undefined: another run has it, or the refund has ended. */
    claim: async ({ sessionId, id }: Refund, nowMs: number): Promise<Claim | undefined> => {
      const claim = newClaim(randomUUID(), nowMs);
      return claimGiven(await table.update({ Key: itemKeys.refund(sessionId, id), ...claimChange(claim) }), claim);
    },

    /** Releases the claim: the gateway knows no such refund. False when another run has the claim. `wasRequested`: it may yet have made it. */
    release: async ({ sessionId, id }: Refund, claim: Claim, { wasRequested = false } = {}): Promise<boolean> => {
      const change = releaseChange(claim);
      const noted = wasRequested ? withMore(change, ' SET wasRequested = :yes', { ':yes': true }) : change;
      return (await table.update({ Key: itemKeys.refund(sessionId, id), ...noted })).done;
    },

    /**
     * Stores the gateway's answer; a failed amount can be refunded again. False when it is settled, when another run has the claim, or when the
     * gateway speaks of another refund of the payment.
     */
    saveAnswer: async ({ account, payment, refund }: FoundRefund, change: RefundChange): Promise<boolean> => {
      const cipher = await vault.unlock(account);
      const newReference = refund.reference === undefined ? change.reference : undefined;
      const refused = await table.transact([
        {
          Update: {
            Key: itemKeys.refund(refund.sessionId, refund.id),
            UpdateExpression: `SET #status = :status, details = :details${change.status === 'PENDING' ? '' : ' REMOVE GSI1PK, GSI1SK'}`,
            ConditionExpression: `#status = :pending AND ${sameClaim(refund.claim).condition}`,
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':status': change.status,
              ':details': sealedRefundDetails(cipher, refund, { ...refund, ...change }),
              ':pending': 'PENDING',
              ...sameClaim(refund.claim).values,
            },
          },
        },
        ...(newReference === undefined ? [] : [putNew(referenceItem(refund, newReference))]),
        ...(change.status === 'FAILED' ? [balanceWrite(payment, refund.amountMinor)] : []),
      ]);
      return refused === undefined;
    },
  };
};

export type RefundStore = ReturnType<typeof refundStore>;
