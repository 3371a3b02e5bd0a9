import * as z from 'zod';
import type { AccountRef } from '../kit/account-ref.ts';
import { log } from '../kit/log.ts';
import { iso } from '../kit/time.ts';
import type { CheckoutAddresses } from './addresses.ts';
import type { GatewayAnswer, PaymentOrder, RefundOrder } from './gateway-answer.ts';
import { orderOf } from './order.ts';
import { type FoundPayment, type Payment, type Refund, refundStatuses } from './payment.ts';

/** A refund with the payment that it takes from. */
export interface FoundRefund extends FoundPayment {
  readonly refund: Refund;
  /** The gateway's names of the payment's other refunds. */
  readonly otherReferences: readonly string[];
}

/** What of a refund changes when its gateway has answered. */
export type RefundChange = Pick<Refund, 'status' | 'reference' | 'failureReason'>;

/** A refund as an operator sees it. */
export const refundRecord = z
  .object({
    id: z.string(),
    paymentId: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    status: z.enum(refundStatuses),
    reason: z.string().nullable(),
    isAutomatic: z.boolean().describe('True: the money was surplus, and the merchant was told of neither.'),
    failureReason: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'Refund', description: 'A refund of a payment, in full or in part.' });

export const refundRecordOf = ({ reason, failureReason, createdMs, ...refund }: Refund) => ({
  ...refund,
  reason: reason ?? null,
  failureReason: failureReason ?? null,
  createdAt: iso(createdMs),
});

/** A refund that somebody has asked for. */
export const newRefund = (
  payment: Payment,
  { id, amountMinor, reason, nowMs }: { id: string; amountMinor: number; reason: string | undefined; nowMs: number },
): Refund => ({
  id,
  paymentId: payment.id,
  sessionId: payment.sessionId,
  accountId: payment.accountId,
  amountMinor,
  currency: payment.currency,
  status: 'PENDING',
  reason,
  isAutomatic: false,
  reference: undefined,
  failureReason: undefined,
  createdMs: nowMs,
});

/** Money counts as gone back only where the gateway speaks of the very amount, or of none. */
const isExact = ({ amountMinor, currency }: Refund, answer: GatewayAnswer): boolean =>
  (answer.amountMinor ?? amountMinor) === amountMinor && (answer.currency ?? currency) === currency;

/** What a gateway's answer makes of a refund; undefined: nothing new. It never leaves SUCCEEDED or FAILED. */
export const refundChangeOf = (
  { refund, otherReferences }: Pick<FoundRefund, 'refund' | 'otherReferences'>,
  answer: GatewayAnswer,
): RefundChange | undefined => {
  if (refund.status !== 'PENDING') return undefined;
  const reference = refund.reference ?? answer.reference;
  // A gateway that has no name of ours for a refund may speak of another one of the same amount.
  if (reference !== undefined && otherReferences.includes(reference)) return undefined;
  switch (answer.state) {
    case 'succeeded':
      return isExact(refund, answer) ? { status: 'SUCCEEDED', reference, failureReason: undefined } : undefined;
    case 'failed':
    case 'cancelled':
    case 'expired':
      return { status: 'FAILED', reference, failureReason: answer.reason ?? answer.code ?? answer.state };
    default:
      return reference === refund.reference ? undefined : { status: 'PENDING', reference, failureReason: undefined };
  }
};

const refundOrderOf = (
  { id, amountMinor, reason, createdMs, reference }: Refund,
  otherReferences: readonly string[],
): RefundOrder => ({
  refundId: id,
  amountMinor,
  reason,
  createdMs,
  reference,
  otherReferences,
});

interface Gateway {
  refund(order: PaymentOrder, refund: RefundOrder): Promise<GatewayAnswer>;
  queryRefund(order: PaymentOrder, refund: RefundOrder): Promise<GatewayAnswer>;
}

export interface RefundNeeds {
  readonly refunds: {
    find(sessionId: string, refundId: string): Promise<FoundRefund | undefined>;
    claim(refund: Refund): Promise<boolean>;
    release(refund: Refund): Promise<void>;
    settle(found: FoundRefund, change: RefundChange): Promise<boolean>;
  };
  readonly gateways: (
    account: AccountRef,
    payment: Pick<Payment, 'gatewayCode' | 'acceptanceMethodId'>,
  ) => Promise<Gateway | undefined>;
  readonly addresses: CheckoutAddresses;
}

/**
 * Works on a refund: asks the gateway for it once, and from then on only what has become of it, however unclear its answer was. Gives whether
 * it is still open, so that it is to be asked about again.
 */
export const refundWorker = ({ refunds, gateways, addresses }: RefundNeeds) => {
  const ask = async (gateway: Gateway, found: FoundRefund): Promise<GatewayAnswer> => {
    const [order, refund] = [orderOf(found, addresses), refundOrderOf(found.refund, found.otherReferences)];
    if (!(await refunds.claim(found.refund))) return gateway.queryRefund(order, refund);
    const answer = await gateway.refund(order, refund);
    if (answer.isAsked === false) await refunds.release(found.refund);
    return answer;
  };

  return async ({ session, refund: id }: { readonly session: string; readonly refund: string }): Promise<boolean> => {
    const found = await refunds.find(session, id);
    if (found?.refund.status !== 'PENDING') return false;
    const gateway = await gateways(found.account, found.payment);
    const answer: GatewayAnswer = gateway ? await ask(gateway, found) : { state: 'unknown' };
    const change = refundChangeOf(found, answer);
    report(found, answer, change);
    if (change) await refunds.settle(found, change);
    return change === undefined || change.status === 'PENDING';
  };
};

/** What an operator must look at: an alarm rings for these lines. */
const report = ({ refund }: FoundRefund, { state }: GatewayAnswer, change: RefundChange | undefined): void => {
  const fields = { accountId: refund.accountId, paymentId: refund.paymentId, refundId: refund.id, needsPerson: true };
  if (state === 'succeeded' && !change) log('error', 'another refund than was asked for was reported', fields);
  if (change?.status === 'FAILED' && refund.isAutomatic) log('error', 'surplus money could not be refunded', fields);
};
