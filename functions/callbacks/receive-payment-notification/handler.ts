import type { Queue } from '../../../shared/aws/queue.ts';
import type { FindAdapter, GatewayHint } from '../../../shared/checkout/gateway-adapter.ts';
import type { Payment } from '../../../shared/checkout/payment.ts';
import type { PaymentJob } from '../../../shared/checkout/payment-job.ts';
import type { CallbackOutcome, CallbackRequest } from '../../../shared/http/callback.ts';
import { alsoAbout, log } from '../../../shared/kit/log.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface ReceivePaymentNotificationNeeds {
  readonly payments: Pick<PaymentStore, 'findById' | 'claimPoll' | 'noteReportedPaid'>;
  readonly findAdapter: FindAdapter;
  readonly paymentsQueue: Queue<PaymentJob>;
}

/**
 * A gateway's notification of a payment. Its content is not trusted: it only causes a query of the gateway, at once if it is genuine and the
 * payment is pending or speaks of money that is not known, otherwise rate-limited. So a forged or repeated one changes nothing. While the gateway
 * is asked about one that it calls paid, the payer cannot cancel it; and it is checked as a new payment is, until the gateway proves it.
 */
export const receivePaymentNotification =
  ({ payments, findAdapter, paymentsQueue }: ReceivePaymentNotificationNeeds) =>
  async ({ path, headers, body, nowMs }: CallbackRequest): Promise<CallbackOutcome> => {
    const found = await payments.findById(path['paymentId'] ?? '');
    if (!found || found.payment.gatewayCode !== path['gatewayCode']) return 'ignored';
    const { account, session, payment } = found;
    alsoAbout({ sessionId: session.id, paymentId: payment.id });
    const adapter = await findAdapter(account, payment);
    const hint = adapter?.parseNotification(headers, body.toString('utf8'));
    const { isGenuine, isNews, isReportedPaid, isPaidAgain } = readHint(hint, payment);
    log('info', 'payment notification', { isGenuine });
    if (isReportedPaid) await payments.noteReportedPaid(payment, nowMs);
    if (isNews || (await payments.claimPoll(found, nowMs))) {
      await paymentsQueue.send([
        {
          ...{ kind: 'resolve', account: account.id, session: session.id, payment: payment.id },
          ...(isReportedPaid && { check: 0 }),
          ...(isPaidAgain && { isPaidAgain }),
        },
      ]);
    }
    return 'heard';
  };

const readHint = (hint: GatewayHint | undefined, { id, status, mark, transactionId }: Payment) => {
  const isGenuine = hint?.isGenuine === true && hint.reference === id;
  const isPending = isGenuine && status === 'PENDING';
  const isPaid = isGenuine && hint.isPaid;
  const isReportedPaid = isPaid && status !== 'SUCCEEDED';
  const hasMoney = status === 'SUCCEEDED' || mark === 'held';
  const isPaidAgain = isPaid && hasMoney && hint.transactionId !== transactionId;
  return {
    isGenuine,
    isNews: isPending || isPaidAgain || isReportedPaid,
    isReportedPaid,
    isPaidAgain,
  };
};
