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

/** What the merchant keeps of a payment that succeeded: nothing of surplus money that goes back, which may be another amount than was asked for. */
export const keptOf = ({
  amountMinor,
  refundedMinor,
  failureCode,
}: Pick<CheckoutPayment, 'amountMinor' | 'refundedMinor' | 'failureCode'>): number =>
  failureCode === 'surplus' && refundedMinor > 0 ? 0 : amountMinor - refundedMinor;
