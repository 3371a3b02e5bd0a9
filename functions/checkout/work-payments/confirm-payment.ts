import type { Queue } from '../../../shared/aws/queue.ts';
import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import type { FindAdapter, GatewayAdapter } from '../../../shared/checkout/gateway-adapter.ts';
import { orderOf } from '../../../shared/checkout/order.ts';
import { orderNumberOf } from '../../../shared/checkout/order-number.ts';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { isAwaited } from '../../../shared/checkout/settlement.ts';
import { log } from '../../../shared/kit/log.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';
import { type QueryPaymentNeeds, queryPayment } from './query-payment.ts';

export interface ConfirmPaymentNeeds extends QueryPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find' | 'claimConfirmation' | 'releaseConfirmation'>;
  readonly findAdapter: FindAdapter;
  readonly addresses: CheckoutAddresses;
  readonly resolver: PaymentResolver;
  readonly paymentsQueue: Queue<PaymentJob>;
}

/** Outcomes that repeat the job, with the seconds before each retry. The last retry ends within half an hour. */
const waits = {
  /** Nothing was confirmed: the payer has not agreed yet, or the gateway did not do it now, or could not be reached. */
  unconfirmed: [5, 15, 45, 120, 300, 900],
  /** It may have been confirmed, and the gateway does not say. The first wait outlasts a claim. */
  unclear: [61, 120, 300, 900],
} as const;

/** `forgotten`: the gateway knows of no confirmation, so it is made again, at once. */
type Outcome = keyof typeof waits | 'forgotten' | 'over';

/**
 * The payer has come back. What their browser says proves nothing: the gateway is asked to make final what they agreed to, by the run that
 * has the claim; all others only ask what has become of it. A payment that has ended, or whose time is up, is not made final.
 */
export const confirmPayment = (needs: ConfirmPaymentNeeds) => {
  const { payments, findAdapter, addresses, resolver, paymentsQueue } = needs;
  const ask = queryPayment(needs);

  const askOnly = async (found: FoundPayment, nowMs: number): Promise<Outcome> => {
    const { confirmationClaim } = found.payment;
    const { confirmation } = await ask(found, nowMs);
    if (confirmation === 'lost' && confirmationClaim)
      return (await payments.releaseConfirmation(found.payment, confirmationClaim)) ? 'forgotten' : 'over';
    return confirmation === 'unclear' ? 'unclear' : 'over';
  };

  const confirm = async (
    found: FoundPayment,
    adapter: GatewayAdapter,
    status: string,
    nowMs: number,
  ): Promise<Outcome> => {
    const claim = await payments.claimConfirmation(found.payment, nowMs);
    if (!claim) return askOnly(found, nowMs);
    const held = { ...found, payment: { ...found.payment, confirmationClaim: claim } };
    const answer = await adapter.confirm(orderOf(found, addresses), { status });
    if (answer.state === 'pending' || answer.mayRetry) {
      await payments.releaseConfirmation(found.payment, claim);
      return 'unconfirmed';
    }
    await resolver.applyAnswer(held, answer, nowMs);
    return answer.state === 'unknown' ? 'unclear' : 'over';
  };

  const work = async ({ returned = 'success' }: PaymentJobOf<'confirm'>, found: FoundPayment, nowMs: number) => {
    const isWanted = found.payment.mark !== 'held' && isAwaited({ ...found, nowMs });
    if (!isWanted || found.payment.confirmationClaim) return askOnly(found, nowMs);
    const adapter = await findAdapter(found.account, found.payment);
    if (!adapter) return 'unclear';
    if (returned === 'success') return confirm(found, adapter, returned, nowMs);
    const answer = await adapter.confirm(orderOf(found, addresses), { status: returned });
    await resolver.applyAnswer(found, answer, nowMs);
    return 'over';
  };

  return async (job: PaymentJobOf<'confirm'>, nowMs: number): Promise<void> => {
    const found = await payments.find(job.session, job.payment);
    if (!found) return;
    const outcome = await work(job, found, nowMs);
    if (outcome === 'over') return;
    if (outcome === 'forgotten') return paymentsQueue.send([job]);
    const delaySeconds = waits[outcome][job.attempt - 1];
    if (delaySeconds !== undefined) return paymentsQueue.send([{ ...job, attempt: job.attempt + 1 }], { delaySeconds });
    const ids = { accountId: found.payment.accountId, sessionId: job.session, paymentId: job.payment };
    if (outcome === 'unclear')
      log('error', 'a confirmation stays unclear', {
        ...ids,
        orderNumber: orderNumberOf(job.payment),
        needsPerson: true,
      });
    if (outcome === 'unconfirmed') log('warn', 'a payment was not confirmed', ids);
  };
};
