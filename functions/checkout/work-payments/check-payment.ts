import type { LateQueue } from '../../../shared/aws/schedule.ts';
import { isWorthAsking, nextCheck } from '../../../shared/checkout/checks.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/jobs.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import type { Checkouts } from '../../../shared/table/checkout-storage.ts';

export interface CheckPaymentNeeds {
  readonly checkouts: Pick<Checkouts, 'paymentIn'>;
  readonly resolver: Pick<PaymentResolver, 'resolve'>;
  readonly latePayments: LateQueue<PaymentJob>;
  readonly simulatorSeconds: number;
}

/** Asks what has become of a payment. A check for lost callbacks brings the next one, as long as that may tell anything new. */
export const checkPayment =
  ({ checkouts, resolver, latePayments, simulatorSeconds }: CheckPaymentNeeds) =>
  async (job: PaymentJobOf<'resolve'>, nowMs: number): Promise<void> => {
    const found = await checkouts.paymentIn(job.session, job.payment);
    if (!found || !isWorthAsking(found.payment)) return;
    const { payment } = await resolver.resolve(found, nowMs);
    if (job.check === undefined || !isWorthAsking(payment)) return;
    const next = nextCheck(payment, { after: job.check, nowMs, simulatorSeconds });
    if (!next) return;
    const name = `checkout-check-${payment.id}-${next.number}`;
    await latePayments.sendAt({ ...job, check: next.number }, { dueMs: next.dueMs, nowMs, name });
  };
