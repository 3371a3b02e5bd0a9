import type { Payment } from './payment.ts';
import { isSimulated, newsSeconds } from './simulation.ts';

/** When a payment or refund without a callback is checked, in seconds after it began. */
const checkSeconds = [15, 45, 120, 300, 900, 3_600, 21_600, 86_400, 259_200];

/** Banks take days to give money back. */
const laterRefundSeconds = [604_800, 1_209_600, 2_592_000];

export interface Check {
  readonly number: number;
  readonly dueMs: number;
}

type Of = Pick<Payment, 'gatewayCode' | 'amountMinor' | 'chaos' | 'createdMs'>;

interface Moment {
  /** The number of the check that there has just been; undefined: none yet. */
  readonly after: number | undefined;
  readonly nowMs: number;
}

/** The next check of a payment, skipping past ones; undefined after the last. */
export const nextCheck = (
  payment: Of,
  { simulatorSeconds, ...moment }: Moment & { readonly simulatorSeconds: number },
): Check | undefined => {
  const news = isSimulated(payment) ? newsSeconds(payment, simulatorSeconds) : [];
  return nextOf([...checkSeconds, ...news], payment.createdMs, moment);
};

/** The same of a refund. */
export const nextRefundCheck = (createdMs: number, moment: Moment): Check | undefined =>
  nextOf([...checkSeconds, ...laterRefundSeconds], createdMs, moment);

const nextOf = (seconds: readonly number[], createdMs: number, { after, nowMs }: Moment): Check | undefined =>
  [...new Set(seconds)]
    .sort((one, other) => one - other)
    .map((each, number) => ({ number, dueMs: createdMs + each * 1_000 }))
    .find(({ number, dueMs }) => number > (after ?? -1) && dueMs > nowMs);

/** Whether a check may still find a change, also after a real gateway reported a failure, because it may find money later. */
export const isWorthAsking = (payment: Pick<Payment, 'status' | 'mark' | 'gatewayCode' | 'chaos'>): boolean => {
  if (payment.status === 'SUCCEEDED' || payment.mark === 'held') return false;
  return payment.status === 'PENDING' || !isSimulated(payment) || payment.chaos === 'late_success';
};
