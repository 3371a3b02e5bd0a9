import { unclearMs } from './claim.ts';
import { isConfirmationTried, type Payment } from './payment.ts';
import { isSimulated, newsSeconds } from './simulation.ts';
import { isGatewayCode, supportedGateways } from './supported-gateways.ts';

/** When a payment or refund without a callback is checked first, in seconds after it began. The queue delays these jobs. */
const checkSeconds = [15, 45, 120, 300, 900];

/** The last check comes when a refund that was asked for within its first minute, and is not listed, has not been made. */
const refundCheckSeconds = [15, 45, 120, 300, unclearMs / 1_000 + 60];

/** The checks after that, which a sweep finds in the index. Banks take days to give money back. */
const laterSeconds = {
  payment: [3_600, 21_600, 86_400, 259_200],
  refund: [3_600, 21_600, 86_400, 259_200, 604_800, 1_209_600, 2_592_000],
} as const;

const lastCheckSeconds = Math.max(...checkSeconds);

export interface Check {
  readonly number: number;
  readonly dueMs: number;
}

type Of = Pick<Payment, 'gatewayCode' | 'amountMinor' | 'chaos' | 'createdMs' | 'reportedPaidMs'>;

interface Moment {
  /** The number of the check that there has just been; undefined: none yet. */
  readonly after: number | undefined;
  readonly nowMs: number;
}

/** The next check of a payment in its first 15 minutes, or in those after its gateway reported it paid, skipping past ones; undefined after the last. */
export const nextCheck = (
  payment: Of,
  { simulatorSeconds, ...moment }: Moment & { readonly simulatorSeconds: number },
): Check | undefined => {
  const news = isSimulated(payment) ? newsSeconds(payment, simulatorSeconds) : [];
  const sinceMs = payment.reportedPaidMs ?? payment.createdMs;
  return nextOf([...checkSeconds, ...news.filter((each) => each <= lastCheckSeconds)], sinceMs, moment);
};

/** The next check of a refund in its first 16 minutes, skipping past ones; undefined after the last. */
export const nextRefundCheck = (createdMs: number, moment: Moment): Check | undefined =>
  nextOf(refundCheckSeconds, createdMs, moment);

/** When a payment or refund is next checked after its first 15 minutes; undefined after the last check. */
export const nextLaterCheckMs = (
  entity: keyof typeof laterSeconds,
  createdMs: number,
  nowMs: number,
): number | undefined => laterSeconds[entity].map((each) => createdMs + each * 1_000).find((dueMs) => dueMs > nowMs);

const nextOf = (seconds: readonly number[], sinceMs: number, { after, nowMs }: Moment): Check | undefined =>
  [...new Set(seconds)]
    .sort((one, other) => one - other)
    .map((each, number) => ({ number, dueMs: sinceMs + each * 1_000 }))
    .find(({ number, dueMs }) => number > (after ?? -1) && dueMs > nowMs);

/** Whether a check may still find a change, also after a real gateway reported a failure, because it may find money later. */
export const isWorthAsking = (payment: Pick<Payment, 'status' | 'mark' | 'gatewayCode' | 'chaos'>): boolean => {
  if (payment.status === 'SUCCEEDED' || payment.mark === 'held') return false;
  return payment.status === 'PENDING' || !isSimulated(payment) || payment.chaos === 'late_success';
};

/** Whether the payer may have been charged: they got the gateway's URL, and a confirmation was tried where money moves only by one. */
export const mayBeCharged = (
  payment: Pick<Payment, 'gatewayCode' | 'redirectUrl' | 'confirmationClaim' | 'lostConfirmations'>,
): boolean => {
  const { gatewayCode, redirectUrl } = payment;
  const needsConfirmation = isGatewayCode(gatewayCode) && supportedGateways[gatewayCode].needsConfirmation;
  return redirectUrl !== undefined && (!needsConfirmation || isConfirmationTried(payment));
};

/** Whether the gateway may find money for this payment, also after it reported a failure: the payer may pay in a further try there. */
export const mayFindMoney = (payment: Payment): boolean => isWorthAsking(payment) && mayBeCharged(payment);
