import type { Queue } from '../../../shared/aws/queue.ts';
import type { CheckoutAddresses } from '../../../shared/checkout/addresses.ts';
import type { FindAdapter, Opening } from '../../../shared/checkout/gateway-adapter.ts';
import { orderOf } from '../../../shared/checkout/order.ts';
import { type FoundPayment, idsOf } from '../../../shared/checkout/payment.ts';
import { paymentFailures } from '../../../shared/checkout/payment-failures.ts';
import type { PaymentJob, PaymentJobOf } from '../../../shared/checkout/payment-job.ts';
import type { PaymentResolver } from '../../../shared/checkout/resolve.ts';
import { isAwaited, isOfOlderSession } from '../../../shared/checkout/settlement.ts';
import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface OpenPaymentNeeds {
  readonly payments: Pick<PaymentStore, 'find' | 'saveOpening'>;
  readonly findAdapter: FindAdapter;
  readonly addresses: CheckoutAddresses;
  readonly resolver: Pick<PaymentResolver, 'applyAnswer'>;
  readonly paymentsQueue: Queue<PaymentJob>;
  /** Asked when the gateway has answered: its session may have ended meanwhile. */
  readonly clock: Clock;
}

/** Seconds before each further attempt at a gateway that cannot be reached. The payer looks on, so they are few. */
const waits = [2, 5, 10];

/** A read may show a payment with its session as it was before: by then, it shows both. No gateway was called, so this is no attempt. */
const tornReadSeconds = 2;

const isWaiting = ({ payment }: FoundPayment): boolean =>
  payment.status === 'PENDING' && payment.redirectUrl === undefined;

/**
 * Asks a gateway where the payer pays. The payer is not charged before they go there, so a gateway that cannot be reached is tried
 * again, and in the end the payment fails: the payer may choose another method.
 */
export const openPayment = ({ payments, findAdapter, addresses, resolver, paymentsQueue, clock }: OpenPaymentNeeds) => {
  const open = async (found: FoundPayment, job: PaymentJobOf<'open'>): Promise<void> => {
    const adapter = await findAdapter(found.account, found.payment);
    const delaySeconds = waits[job.attempt - 1];
    const opening: Opening = (await adapter?.create(orderOf(found, addresses))) ?? { kind: 'unavailable' };
    if (opening.kind === 'opened') {
      await payments.saveOpening(found, opening);
    } else if (opening.kind === 'unavailable' && delaySeconds !== undefined) {
      await paymentsQueue.send([{ ...job, attempt: job.attempt + 1 }], { delaySeconds });
    } else {
      // Asked twice, a gateway may refuse what another run of this job has just opened.
      const current = await payments.find(job.session, job.payment);
      if (!current || !isWaiting(current)) return;
      const refusal = refusalOf(opening, job);
      report(current, refusal.code);
      await resolver.applyAnswer(current, { state: 'failed', ...refusal }, clock());
    }
  };

  return async (job: PaymentJobOf<'open'>, nowMs: number): Promise<void> => {
    const found = await payments.find(job.session, job.payment);
    if (!found || !isWaiting(found)) return;
    if (isAwaited({ ...found, nowMs })) await open(found, job);
    else if (isOfOlderSession(found)) await paymentsQueue.send([job], { delaySeconds: tornReadSeconds });
    else await resolver.applyAnswer(found, { state: 'unknown' }, nowMs);
  };
};

/** No alarm counts this line: wrong credentials are their merchant's to correct. */
const report = ({ payment }: FoundPayment, code: string): void =>
  log('error', 'a gateway opens no payment', { ...idsOf(payment), gatewayCode: payment.gatewayCode, code });

/** A gateway that did not answer at first may have opened the payment then, and refuse only another one under its number. */
const refusalOf = (opening: Exclude<Opening, { kind: 'opened' }>, { attempt }: PaymentJobOf<'open'>) =>
  opening.kind === 'refused' && attempt === 1
    ? { code: opening.code, reason: opening.reason }
    : paymentFailures.unavailable;
