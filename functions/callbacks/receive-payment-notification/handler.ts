import type { Queue } from '../../../shared/aws/queue.ts';
import { isWorthAsking } from '../../../shared/checkout/checks.ts';
import type { FindAdapter, GatewayHint } from '../../../shared/checkout/gateway-adapter.ts';
import type { Payment } from '../../../shared/checkout/payment.ts';
import type { PaymentJob } from '../../../shared/checkout/payment-job.ts';
import { pollIntervalMs } from '../../../shared/checkout/poll.ts';
import { isJustReportedPaid } from '../../../shared/checkout/settle-payment.ts';
import type { CallbackOutcome, CallbackRequest } from '../../../shared/http/callback.ts';
import { alsoAbout, log } from '../../../shared/kit/log.ts';
import type { PaymentStore } from '../../../shared/table/checkout/payment-store.ts';

export interface ReceivePaymentNotificationNeeds {
  readonly payments: Pick<PaymentStore, 'findById' | 'claimPoll' | 'notePaidAgain' | 'noteReportedPaid'>;
  readonly findAdapter: FindAdapter;
  readonly paymentsQueue: Queue<PaymentJob>;
}

/**
 * A gateway's notification of a payment. Its content is not trusted: it only causes a query of the gateway, at once if it is genuine and the
 * payment waits for it or it speaks of money that is not known, otherwise rate-limited while something may change. So a forged or repeated one changes
 * nothing. While the gateway is asked about one that it calls paid, the payer cannot cancel it; and it is checked as a new payment is, until the
 * gateway proves it.
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
    const { isGenuine, isNews, isReportedPaid, isPaidAgain, isNothingNew, paid } = readHint(hint, payment, nowMs);
    log('info', 'payment notification', { isGenuine });
    const job = { kind: 'resolve', account: account.id, session: session.id, payment: payment.id } as const;
    if (isNothingNew) return 'heard';
    if (isPaidAgain) {
      // At the end of the interval, so that it finds what is notified within it too. Noted last: nothing else would ask about this money.
      await paymentsQueue.send([{ ...job, isPaidAgain, paid }], { delaySeconds: pollIntervalMs / 1_000 });
      await payments.notePaidAgain(payment, nowMs);
      return 'heard';
    }
    if (!isNews && !(await payments.claimPoll(found, nowMs))) return 'heard';
    if (isReportedPaid) await payments.noteReportedPaid(payment, nowMs);
    await paymentsQueue.send([{ ...job, paid, ...(isReportedPaid && { check: 0 }) }]);
    return 'heard';
  };

const readHint = (hint: GatewayHint | undefined, payment: Payment, nowMs: number) => {
  const { id, status, mark, transactionId } = payment;
  const isGenuine = hint?.isGenuine === true && hint.reference === id;
  const isPaid = isGenuine && hint.isPaid;
  const isOther = isPaid && hint.transactionId !== transactionId;
  const isJustQueued = nowMs < (payment.paidAgainMs ?? 0) + pollIntervalMs;
  const hasMoney = status === 'SUCCEEDED' || mark === 'held';
  return {
    isGenuine,
    isNews: !hasMoney && ((isGenuine && status === 'PENDING') || isOther),
    // Repeated, it begins no second row of checks.
    isReportedPaid: isPaid && !hasMoney && !isJustReportedPaid(payment, nowMs),
    isPaidAgain: isOther && hasMoney,
    isNothingNew: isOther ? hasMoney && isJustQueued : !isWorthAsking(payment),
    paid: isPaid ? hint.transactionId : undefined,
  };
};
