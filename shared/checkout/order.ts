import type { CheckoutAddresses } from './addresses.ts';
import type { Chaos } from './chaos.ts';
import { type FoundPayment, isConfirmationTried } from './payment.ts';
import type { Refund } from './refund.ts';

/** The data of a payment for its gateway, including earlier answers. */
export interface PaymentOrder {
  readonly accountId: string;
  readonly paymentId: string;
  readonly sessionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | undefined;
  readonly customer: { readonly name?: string; readonly email?: string; readonly phone?: string };
  readonly createdMs: number;
  /** The URL that the payer's browser returns to, by GET or POST; it contains a token of this payment. */
  readonly returnUrl: string;
  /** Where the gateway's server notifies. */
  readonly notificationUrl: string;
  /** The gateway's own name of the payment, once it has one. */
  readonly reference: string | undefined;
  /** The gateway's name of the money that moved, once it has: trxID, bank_tran_id. */
  readonly transactionId: string | undefined;
  /** The transaction with which the gateway says that it was paid besides. */
  readonly paidBesides?: string | undefined;
  /** Confirming (bKash's execute) has been tried: a failure that the payer's browser reports may no longer be believed. */
  readonly confirmationAttempted: boolean;
  /** A fault injected into a test session. */
  readonly chaos: Chaos | undefined;
}

export interface RefundOrder {
  readonly refundId: string;
  readonly amountMinor: number;
  readonly reason: string | undefined;
  readonly createdMs: number;
  /** An earlier request for it was lost, which the gateway may have carried out. */
  readonly wasRequested: boolean;
  /** The gateway's own name of the refund, once it has one. */
  readonly reference: string | undefined;
  /** The gateway's names of the payment's other refunds: none of them is this one. */
  readonly otherReferences: readonly string[];
}

/** The data of a payment for its gateway. */
export const orderOf = (
  { session, payment }: Pick<FoundPayment, 'session' | 'payment'>,
  addresses: CheckoutAddresses,
): PaymentOrder => ({
  accountId: payment.accountId,
  paymentId: payment.id,
  sessionId: session.id,
  amountMinor: payment.amountMinor,
  currency: payment.currency,
  description: session.description,
  customer: session.customer,
  createdMs: payment.createdMs,
  returnUrl: addresses.gatewayReturn(payment),
  notificationUrl: addresses.notification(payment),
  reference: payment.reference,
  transactionId: payment.transactionId,
  confirmationAttempted: isConfirmationTried(payment),
  chaos: payment.chaos,
});

/** The data of a refund for its gateway. */
export const refundOrderOf = (
  { id, amountMinor, reason, createdMs, wasRequested, reference }: Refund,
  otherReferences: readonly string[],
): RefundOrder => ({
  refundId: id,
  amountMinor,
  reason,
  createdMs,
  wasRequested,
  reference,
  otherReferences,
});
