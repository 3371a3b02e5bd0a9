import type { CheckoutAddresses } from './addresses.ts';
import type { PaymentOrder } from './gateway-answer.ts';
import type { FoundPayment } from './payment.ts';

/** All that a gateway is told of a payment. */
export const orderOf = (
  { session, payment }: Pick<FoundPayment, 'session' | 'payment'>,
  addresses: CheckoutAddresses,
): PaymentOrder => ({
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
