import type { Claim } from './claim.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import type { FoundPayment, Payment } from './payment.ts';

export const refundStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** A refund of a payment, in full or in part. */
export interface Refund {
  readonly id: string;
  readonly paymentId: string;
  readonly sessionId: string;
  readonly accountId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly status: RefundStatus;
  readonly reason: string | undefined;
  /** Ours, because the money was surplus: the merchant never heard of the payment, and hears nothing of this. */
  readonly isAutomatic: boolean;
  /** Taken by the run that asks the gateway for it; it stays once that may have happened. */
  readonly claim: Claim | undefined;
  /** A request for it was lost, which the gateway may have carried out. */
  readonly wasRequested: boolean;
  readonly reference: string | undefined;
  readonly failureReason: string | undefined;
  readonly createdMs: number;
}

/** A refund with the payment that it takes from. */
export interface FoundRefund extends FoundPayment {
  readonly refund: Refund;
  /** The gateway's names of the payment's other refunds. */
  readonly otherReferences: readonly string[];
}

/** What of a refund changes when its gateway has answered. */
export type RefundChange = Pick<Refund, 'status' | 'reference' | 'failureReason'>;

/** A refund that its gateway has not been asked for yet. */
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
  claim: undefined,
  wasRequested: false,
  reference: undefined,
  failureReason: undefined,
  createdMs: nowMs,
});

/** Money counts as gone back only where the gateway speaks of the very amount, or of none. */
const isExact = ({ amountMinor, currency }: Refund, answer: GatewayAnswer): boolean =>
  (answer.amountMinor ?? amountMinor) === amountMinor && (answer.currency ?? currency) === currency;

/** A refund after a gateway's answer; undefined when nothing changes. SUCCEEDED and FAILED are final. */
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
