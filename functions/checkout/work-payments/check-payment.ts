import type { Queue } from '../../../shared/aws/queue.ts';
import { isWorthAsking, mayFindMoney, nextCheck, nextLaterCheckMs } from '../../../shared/checkout/checks.ts';
import { orderNumberOf } from '../../../shared/checkout/order-number.ts';
import { type FoundPayment, idsOf, type Payment } from '../../../shared/checkout/payment.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import { hangs } from '../../../shared/kit/hangs.ts';
import { InternalError } from '../../../shared/kit/internal-error.ts';
import { log } from '../../../shared/kit/log.ts';
import { delayUntil } from '../../../shared/kit/time.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import { type QueryPaymentNeeds, queryPayment } from './query-payment.ts';

export interface CheckPaymentNeeds extends QueryPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find'>;
  readonly paymentsQueue: Queue<PaymentJob>;
  readonly simulatorSeconds: number;
}

/**
 * Queries a payment's status. A check for lost callbacks queues the next one of the first 15 minutes, as long as the status may change. A gateway
 * that hangs is spared the polls: they are many, and would keep the payers of other gateways waiting.
 */
export const checkPayment = (needs: CheckPaymentNeeds) => {
  const { payments, paymentsQueue, simulatorSeconds, clock } = needs;
  const ask = queryPayment(needs);
  const { restMs, watch } = hangs(clock);

  const isToAsk = ({ payment }: FoundPayment, job: PaymentJobOf<'resolve'>): boolean => {
    if (job.isPoll && restMs(gatewayOf(payment)) > 0) return false;
    return isWorthAsking(payment) || speaksOfOther(job, payment);
  };

  return async (job: PaymentJobOf<'resolve'>, nowMs: number): Promise<void> => {
    const before = await payments.find(job.session, job.payment);
    if (!before || !isToAsk(before, job)) return;
    const besides = paidBesides(job, before);
    const asked = await watch(
      gatewayOf(before.payment),
      () => ask(before, nowMs, besides),
      (each) => each.isUndecided,
    );
    const { found, isUndecided, confirmation } = asked;
    const { account, session, payment } = job;
    const claim = found.payment.confirmationClaim?.token;
    // It releases the claim itself, when it is there: a check that died in between would leave nobody to confirm the payment.
    if (confirmation === 'lost')
      await paymentsQueue.send([{ kind: 'confirm', account, session, payment, attempt: 1, claim }]);
    if (confirmation === 'left')
      await paymentsQueue.send([{ kind: 'confirm', account, session, payment, attempt: 1, returnedMs: nowMs }]);
    // Where the payment has got other money meanwhile than the job names, nothing was asked about that one.
    if (isUndecided || paidBesides(job, found) !== besides) leaveUndecided(found.payment, job, nowMs);
    if (job.check === undefined || !isWorthAsking(found.payment)) return;
    const next = nextCheck(found.payment, { after: job.check, nowMs, simulatorSeconds });
    if (next) await paymentsQueue.send([{ ...job, check: next.number }], delayUntil(next.dueMs, nowMs));
  };
};

const gatewayOf = ({ gatewayCode, livemode }: Payment): string => `${gatewayCode} ${livemode ? 'live' : 'test'}`;

/** Whether the gateway speaks of other money than what the payment has. */
const speaksOfOther = ({ isPaidAgain, paid }: PaymentJobOf<'resolve'>, payment: Payment): boolean =>
  isPaidAgain === true || (paid !== undefined && !isWorthAsking(payment) && paid !== payment.transactionId);

const paidBesides = (job: PaymentJobOf<'resolve'>, { payment }: FoundPayment): string | undefined =>
  speaksOfOther(job, payment) ? job.paid : undefined;

/** Nothing else asks about money that was paid again, so its job comes back until the gateway says what became of it, and in the end a person sees it. */
const leaveUndecided = (payment: Payment, job: PaymentJobOf<'resolve'>, nowMs: number): void => {
  reportLastCheck(payment, nowMs);
  if (!speaksOfOther(job, payment)) return;
  throw new InternalError('a gateway does not say what was paid again', { orderNumber: orderNumberOf(payment.id) });
};

/** Nothing is asked after the last check, so money that the gateway may have would be lost from sight. */
const reportLastCheck = (payment: Payment, nowMs: number): void => {
  if (nextLaterCheckMs('payment', payment.createdMs, nowMs) !== undefined || !mayFindMoney(payment)) return;
  const orderNumber = orderNumberOf(payment.id);
  log('error', 'a payment stays unanswered', { ...idsOf(payment), orderNumber, needsPerson: true });
};
