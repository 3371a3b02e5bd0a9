import type { Queue } from '../../../shared/aws/queue.ts';
import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import type { Claim } from '../../../shared/checkout/claim.ts';
import { attemptWaits, isCoveredReturn, repetitionWaits } from '../../../shared/checkout/confirmation.ts';
import type { FindAdapter, GatewayAdapter } from '../../../shared/checkout/gateway-adapter.ts';
import { orderOf } from '../../../shared/checkout/order.ts';
import { orderNumberOf } from '../../../shared/checkout/order-number.ts';
import { type FoundPayment, idsOf, type Payment } from '../../../shared/checkout/payment.ts';
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

type ConfirmJob = PaymentJobOf<'confirm'>;

/** Outcomes that repeat the job, with the seconds before each retry. Those after one call end within half an hour of it. */
const waits = {
  /** Nothing was confirmed: the payer has not agreed yet, or the gateway did not do it now, or could not be reached. */
  unconfirmed: attemptWaits,
  /** It may have been confirmed, and the gateway does not say. The first wait outlasts a claim. */
  unclear: [61, 120, 300, 900],
} as const;

/** `unclear`: the token of the claim under which it was made, if any. */
type Outcome =
  | { readonly kind: 'unconfirmed' | 'over' }
  | { readonly kind: 'unclear'; readonly claim: string | undefined };

const over: Outcome = { kind: 'over' };

/**
 * The payer has come back. What their browser says proves nothing: the gateway is asked to make final what they agreed to, by the run that
 * has the claim; all others only ask what has become of it. A payment that has ended, or whose time is up, is not made final.
 */
export const confirmPayment = (needs: ConfirmPaymentNeeds) => {
  const { payments, findAdapter, addresses, resolver, paymentsQueue, clock } = needs;
  const ask = queryPayment(needs);

  /** What makes it again is in the queue before the claim is released, so a run that dies in between leaves it to another one. */
  const repeat = async (job: ConfirmJob, { payment }: FoundPayment, claim: Claim): Promise<void> => {
    const delaySeconds = repetitionWaits[payment.lostConfirmations];
    if (delaySeconds === undefined) log('warn', 'a payment was not confirmed', idsOf(payment));
    else await paymentsQueue.send([{ ...job, claim: undefined }], { delaySeconds });
    await payments.releaseConfirmation(payment, claim, { isLost: true });
  };

  const askOnly = async (job: ConfirmJob, found: FoundPayment, nowMs: number): Promise<Outcome> => {
    const { confirmationClaim } = found.payment;
    const { confirmation } = await ask(found, nowMs);
    if (confirmation === 'unclear') return { kind: 'unclear', claim: confirmationClaim?.token };
    if (confirmation === 'lost' && confirmationClaim) await repeat(job, found, confirmationClaim);
    return over;
  };

  const confirm = async (
    job: ConfirmJob,
    found: FoundPayment,
    adapter: GatewayAdapter,
    nowMs: number,
  ): Promise<Outcome> => {
    const claim = await payments.claimConfirmation(found.payment, nowMs, job.returnedMs);
    if (!claim) return askOnly(job, found, nowMs);
    const held = { ...found, payment: { ...found.payment, confirmationClaim: claim } };
    const answer = await adapter.confirm(orderOf(found, addresses), { status: 'success' });
    const isUndecided = answer.state === 'unknown' || answer.isUndecided === true;
    if (answer.mayRetry || (answer.state === 'pending' && !isUndecided)) {
      await payments.releaseConfirmation(found.payment, claim);
      return { kind: 'unconfirmed' };
    }
    await resolver.applyAnswer(held, answer, clock());
    return isUndecided ? { kind: 'unclear', claim: claim.token } : over;
  };

  const work = async (job: ConfirmJob, found: FoundPayment, nowMs: number): Promise<Outcome> => {
    const { confirmationClaim, mark } = found.payment;
    if (job.claim !== undefined && job.claim !== confirmationClaim?.token) return over;
    if (isDoneByAnother(job, found.payment)) return over;
    const isWanted = mark !== 'held' && isAwaited({ ...found, nowMs });
    if (!isWanted || confirmationClaim) return askOnly(job, found, nowMs);
    const adapter = await findAdapter(found.account, found.payment);
    if (!adapter) return { kind: 'unclear', claim: undefined };
    const { returned = 'success' } = job;
    if (returned === 'success') return confirm(job, found, adapter, nowMs);
    const answer = await adapter.confirm(orderOf(found, addresses), { status: returned });
    await resolver.applyAnswer(found, answer, clock());
    return over;
  };

  return async (job: ConfirmJob, nowMs: number): Promise<void> => {
    const found = await payments.find(job.session, job.payment);
    if (!found) return;
    const outcome = await work(job, found, nowMs);
    if (outcome.kind === 'over') return;
    const claim = outcome.kind === 'unclear' ? outcome.claim : undefined;
    // The outcome of a call that this job has not asked about is asked for soon, however often the call was tried before.
    const isNew = claim !== undefined && claim !== job.claim;
    const attempt = isNew ? 1 : job.attempt;
    const delaySeconds = waits[outcome.kind][attempt - 1];
    if (delaySeconds !== undefined)
      return paymentsQueue.send([{ ...job, attempt: attempt + 1, claim }], { delaySeconds });
    const ids = idsOf(found.payment);
    if (outcome.kind === 'unconfirmed') log('warn', 'a payment was not confirmed', ids);
    else
      log('error', 'a confirmation stays unclear', {
        ...ids,
        orderNumber: orderNumberOf(job.payment),
        needsPerson: true,
      });
  };
};

/** A payer who reloads the page of their return would otherwise begin attempts each time, which all go on for 25 minutes. */
const isDoneByAnother = ({ returned = 'success', returnedMs, claim }: ConfirmJob, payment: Payment): boolean =>
  returned === 'success' &&
  claim === undefined &&
  returnedMs !== undefined &&
  returnedMs !== payment.returnedMs &&
  isCoveredReturn(payment, returnedMs);
