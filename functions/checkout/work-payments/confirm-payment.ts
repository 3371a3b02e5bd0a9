import type { LateQueue } from '../../../shared/aws/schedule.ts';
import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/jobs.ts';
import { orderOf } from '../../../shared/checkout/order.ts';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { isInTime } from '../../../shared/checkout/settlement.ts';
import type { Gateway, Gateways } from '../../../shared/providers/gateways/gateway.ts';
import type { Checkouts } from '../../../shared/table/checkout-storage.ts';

export interface ConfirmPaymentNeeds {
  readonly checkouts: Pick<Checkouts, 'paymentIn' | 'claimConfirm' | 'releaseConfirm'>;
  readonly gateways: Gateways;
  readonly addresses: CheckoutAddresses;
  readonly resolver: PaymentResolver;
  readonly latePayments: LateQueue<PaymentJob>;
}

/** Seconds before a confirmation is tried again that has certainly confirmed nothing. */
const waits = [5, 15, 45];

/**
 * The payer has come back. What their browser says proves nothing: the gateway is asked to make final what they agreed to, once and by
 * whoever has the claim; all others only ask what has become of it. A payment that has ended, or whose time is up, is not made final.
 */
export const confirmPayment = ({ checkouts, gateways, addresses, resolver, latePayments }: ConfirmPaymentNeeds) => {
  const confirm = async (job: PaymentJobOf<'confirm'>, found: FoundPayment, gateway: Gateway, nowMs: number) => {
    const { account, session, payment } = found;
    const hasClaim = job.returned === 'success' || job.returned === undefined;
    if (hasClaim && !(await checkouts.claimConfirm(payment))) return resolver.resolve(found, nowMs);
    // The order as it was before the claim: it tells whether anything may have been confirmed earlier.
    const answer = await gateway.confirm(orderOf(found, addresses), { status: job.returned ?? '' });
    const isNothingConfirmed = answer.state === 'pending' || answer.isAsked === false;
    const waitSeconds = waits[job.attempt - 1];
    if (hasClaim && isNothingConfirmed) {
      await checkouts.releaseConfirm(payment);
      if (waitSeconds === undefined) return found;
      const next = { ...job, attempt: job.attempt + 1 };
      const name = `checkout-confirm-${payment.id}-${next.attempt}`;
      await latePayments.sendAt(next, { dueMs: nowMs + waitSeconds * 1_000, nowMs, name });
      return found;
    }
    if (answer.state !== 'unknown') return resolver.settle(found, answer, nowMs);
    return resolver.resolve({ account, session, payment: { ...payment, isConfirmed: hasClaim } }, nowMs);
  };

  return async (job: PaymentJobOf<'confirm'>, nowMs: number): Promise<void> => {
    const found = await checkouts.paymentIn(job.session, job.payment);
    if (!found) return;
    const isWanted = found.payment.mark !== 'held' && isInTime({ ...found, nowMs });
    const gateway = isWanted ? await gateways(found.account, found.payment) : undefined;
    await (gateway ? confirm(job, found, gateway, nowMs) : resolver.resolve(found, nowMs));
  };
};
