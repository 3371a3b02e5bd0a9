import type { CheckoutAddresses } from './addresses.ts';
import type { PaymentOrder } from './gateway-answer.ts';
import type { FoundPayment } from './payment.ts';

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
  confirmationAttempted: payment.confirmationClaim !== undefined,
  chaos: payment.chaos,
});
