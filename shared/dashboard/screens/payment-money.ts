import type { CheckoutPayment, Refund } from '../../client/checkout.ts';

/** An automatic refund is of all that was taken, which may be another amount than was asked for. */
const takenOf = ({ amountMinor }: Pick<CheckoutPayment, 'amountMinor'>, refunds: readonly Refund[]): number =>
  refunds.find(({ isAutomatic }) => isAutomatic)?.amountMinor ?? amountMinor;

/** What of a payment that succeeded can still be refunded. A refund that is under way holds its amount; a failed one gives it back. */
export const leftOf = (payment: Pick<CheckoutPayment, 'amountMinor'>, refunds: readonly Refund[]): number =>
  refunds.reduce(
    (left, { status, amountMinor: part }) => (status === 'FAILED' ? left : left - part),
    takenOf(payment, refunds),
  );

/** What the merchant keeps of a payment that succeeded: of surplus money, what its automatic refund could not send back. */
export const keptOf = (
  {
    id,
    amountMinor,
    refundedMinor,
    failureCode,
  }: Pick<CheckoutPayment, 'id' | 'amountMinor' | 'refundedMinor' | 'failureCode'>,
  failedRefunds: readonly Refund[],
): number => {
  if (failureCode !== 'surplus') return amountMinor - refundedMinor;
  const automatic = failedRefunds.find(({ paymentId, isAutomatic }) => isAutomatic && paymentId === id);
  return automatic ? automatic.amountMinor - refundedMinor : 0;
};
