import { createHash } from 'node:crypto';
import type { Claim } from '../../checkout/claim.ts';
import type { Payment } from '../../checkout/payment.ts';
import type { CheckoutSession } from '../../checkout/session.ts';
import { mostPayments } from '../../checkout/session-status.ts';
import type { Settlement } from '../../checkout/settlement.ts';
import { type ItemKey, indexKeys, itemKeys } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';

/** How long an idempotency key gives the same session. */
const keyWindowMs = 24 * 60 * 60 * 1_000;

const isNew = 'attribute_not_exists(PK)';

/**
 * Keys of servers and keys in browsers do not share idempotency keys: whoever reads a publishable key off a page could otherwise make, or
 * read, the session that the server asks for.
 */
const modeOf = ({ livemode, createdWith }: KeyMode): string => `${livemode ? 'live' : 'test'}-${createdWith}`;

/** What kind of checkout key an idempotency key came with. */
export type KeyMode = Pick<CheckoutSession, 'livemode' | 'createdWith'>;

/** Where an idempotency key of an account leads to its session. */
export const sessionKeyPlace = (accountId: string, mode: KeyMode, idempotencyKey: string): ItemKey =>
  itemKeys.checkoutSessionKey(accountId, modeOf(mode), createHash('sha256').update(idempotencyKey).digest('base64url'));

/** The session that an idempotency key leads to, as long as the key counts. */
export const sessionIdUnder = (row: Item | undefined, nowMs: number): string | undefined =>
  row && Number(row['openedMs']) > nowMs - keyWindowMs ? String(row['session']) : undefined;

/** Puts an item where there is none. */
export const putNew = (item: Item): Write => ({ Put: { Item: { ...item }, ConditionExpression: isNew } });

/** A key is free where there is none, or where its 24 hours are over. */
export const keyWrite = (session: CheckoutSession, idempotencyKey: string, nowMs: number): Write => ({
  Put: {
    Item: {
      ...sessionKeyPlace(session.accountId, session, idempotencyKey),
      entity: 'checkout-session-key',
      session: session.id,
      openedMs: nowMs,
      expiresAt: Math.ceil((nowMs + keyWindowMs) / 1_000),
    },
    ConditionExpression: `${isNew} OR openedMs <= :windowStart`,
    ExpressionAttributeValues: { ':windowStart': nowMs - keyWindowMs },
  },
});

/** Finds a payment by its id, and an account's payments in the order of time. It never changes, so no index is rewritten by what does. */
export const pointerWrite = ({ id, sessionId, accountId }: Payment): Write => ({
  Put: {
    Item: {
      ...itemKeys.paymentId(id),
      ...indexKeys.paymentId(accountId, id),
      entity: 'payment-id',
      session: sessionId,
    },
  },
});

/** The session's side of a payment's beginning: it must be open, and no other payment begun since it was read, so that two taps are one. */
export const beginWrite = ({ id: sessionId, payments }: CheckoutSession, { id, createdMs }: Payment): Write => ({
  Update: {
    Key: itemKeys.checkoutSession(sessionId),
    UpdateExpression: 'SET livePaymentId = :payment, paymentStatus = :pending, payments = payments + :one',
    ConditionExpression:
      '#status = :open AND expiresMs > :now AND attribute_not_exists(livePaymentId) AND payments = :begun AND payments < :most',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':payment': id,
      ':pending': 'PENDING',
      ':one': 1,
      ':open': 'OPEN',
      ':now': createdMs,
      ':begun': payments,
      ':most': mostPayments,
    },
  },
});

type Change = Omit<Parameters<Table['update']>[0], 'Key'>;

/** Takes the right to call the gateway about a payment or a refund that is open, where no run has it. */
export const claimChange = ({ token, untilMs }: Claim): Change => ({
  UpdateExpression: 'SET claim = :token, claimedUntil = :until',
  ConditionExpression: '#status = :pending AND attribute_not_exists(claim)',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':token': token, ':until': untilMs, ':pending': 'PENDING' },
});

/** Gives that right back: the gateway knows of no call that was made with it. */
export const releaseChange = ({ token }: Claim): Change => ({
  UpdateExpression: 'REMOVE claim, claimedUntil',
  ConditionExpression: 'claim = :token',
  ExpressionAttributeValues: { ':token': token },
});

/** Holds only if no run has taken or lost the right to call the gateway since the row was read. */
export const sameClaim = (claim: Claim | undefined) =>
  claim
    ? { condition: 'claim = :claim', values: { ':claim': claim.token } }
    : { condition: 'attribute_not_exists(claim)', values: {} };

/** What has ended, or waits for a person, is not looked for as open any more. */
const removal = ({ status, mark }: Settlement['payment']): string => {
  const gone = [...(mark ? [] : ['#mark']), ...(status === 'PENDING' && mark !== 'held' ? [] : ['GSI1PK', 'GSI1SK'])];
  return gone.length > 0 ? ` REMOVE ${gone.join(', ')}` : '';
};

/** Holds only if the payment has not been settled since it was read, and no confirmation of it has begun or been taken over. */
export const settleWrite = (before: Payment, after: Settlement['payment'], outcome: Uint8Array): Write => ({
  Update: {
    Key: itemKeys.payment(before.sessionId, before.id),
    UpdateExpression: `SET #status = :status, refundableMinor = :refundable, outcome = :outcome${after.mark ? ', #mark = :mark' : ''}${removal(after)}`,
    ConditionExpression: `#status = :before AND ${before.mark ? '#mark = :markBefore' : 'attribute_not_exists(#mark)'} AND ${sameClaim(before.confirmation).condition}`,
    ExpressionAttributeNames: { '#status': 'status', '#mark': 'mark' },
    ExpressionAttributeValues: {
      ':status': after.status,
      ':refundable': after.refundableMinor,
      ':outcome': outcome,
      ':before': before.status,
      ...sameClaim(before.confirmation).values,
      ...(after.mark && { ':mark': after.mark }),
      ...(before.mark && { ':markBefore': before.mark }),
    },
  },
});

/** Holds only if the session still waits for what it waited for when it was read. */
export const sessionWrite = (before: CheckoutSession, after: NonNullable<Settlement['session']>): Write => ({
  Update: {
    Key: itemKeys.checkoutSession(before.id),
    UpdateExpression: 'SET #status = :status, paymentStatus = :paymentStatus REMOVE livePaymentId',
    ConditionExpression: `#status = :before AND ${before.livePaymentId === undefined ? 'attribute_not_exists(livePaymentId)' : 'livePaymentId = :live'}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': after.status,
      ':paymentStatus': after.paymentStatus,
      ':before': before.status,
      ...(before.livePaymentId !== undefined && { ':live': before.livePaymentId }),
    },
  },
});
