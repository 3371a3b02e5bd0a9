import type { GatewayAnswer } from './gateway-answer.ts';
import type { PaymentOrder } from './order.ts';
import type { Payment } from './payment.ts';
import { isGatewayCode, supportedGateways } from './supported-gateways.ts';

/** The outcome of a test payment by exact amount (checkout specification, "Test mode"). */
export const testAmounts = { declined: 1_001, timedOut: 1_002, callbackLost: 1_003, slow: 1_004 } as const;

/** A refund of exactly this much fails. */
export const refusedRefund = 1_001;

/** How long "a few seconds" are. */
export const slowSeconds = 4;

type Asked = Pick<PaymentOrder, 'paymentId' | 'amountMinor' | 'currency' | 'createdMs' | 'chaos'>;

export const isSimulated = ({ gatewayCode }: Pick<Payment, 'gatewayCode'>): boolean =>
  isGatewayCode(gatewayCode) && supportedGateways[gatewayCode].isSimulator;

/** Whether the simulator sends a notification. Otherwise a query finds the outcome. */
export const callsBack = ({ amountMinor }: Pick<Payment, 'amountMinor'>): boolean =>
  amountMinor !== testAmounts.callbackLost;

/**
 * The simulator's answer at this moment. Of the injected faults, `tampered_amount` reports a success of one unit more than was asked, and
 * `late_success` is expired at first, which ends the session, and succeeds four seconds after it began.
 */
export const simulatedAnswer = (order: Asked, timeoutSeconds: number, nowMs: number): GatewayAnswer => {
  const tampered = order.chaos === 'tampered_amount' ? 1 : 0;
  const success: GatewayAnswer = {
    state: 'succeeded',
    amountMinor: order.amountMinor + tampered,
    currency: order.currency,
    paymentId: order.paymentId,
    reference: order.paymentId,
    transactionId: `sim_${order.paymentId}`,
  };
  const expiry: GatewayAnswer = { state: 'expired', endsSession: true };
  const isAfter = (seconds: number) => nowMs >= order.createdMs + seconds * 1_000;

  if (order.chaos === 'late_success') return isAfter(slowSeconds) ? success : expiry;
  switch (order.amountMinor) {
    case testAmounts.declined:
      return { state: 'failed', code: 'declined', reason: 'The simulator declines this amount.' };
    case testAmounts.timedOut:
      return isAfter(timeoutSeconds) ? expiry : { state: 'pending' };
    case testAmounts.slow:
      return isAfter(slowSeconds) ? success : { state: 'pending' };
    default:
      return success;
  }
};

export const simulatedRefund = (refund: { readonly refundId: string; readonly amountMinor: number }): GatewayAnswer =>
  refund.amountMinor === refusedRefund
    ? { state: 'failed', code: 'declined', reason: 'The simulator declines a refund of this amount.' }
    : { state: 'succeeded', amountMinor: refund.amountMinor, reference: `sim_${refund.refundId}` };

/** Seconds after which the simulator has an outcome without a notification. */
export const newsSeconds = (
  payment: Pick<Payment, 'amountMinor' | 'chaos'>,
  timeoutSeconds: number,
): readonly number[] => {
  if (payment.chaos === 'late_success' || payment.amountMinor === testAmounts.slow) return [slowSeconds];
  return payment.amountMinor === testAmounts.timedOut ? [timeoutSeconds] : [];
};
