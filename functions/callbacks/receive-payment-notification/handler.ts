import type { Queue } from '../../../shared/aws/queue.ts';
import { isWorthAsking } from '../../../shared/checkout/checks.ts';
import type { FindAdapter, GatewayHint } from '../../../shared/checkout/gateway-adapter.ts';
import type { Payment } from '../../../shared/checkout/payment.ts';
import type { PaymentJob } from '../../../shared/checkout/payment-job.ts';
import { pollIntervalMs } from '../../../shared/checkout/poll.ts';
import { isJustReportedPaidWith } from '../../../shared/checkout/settle-payment.ts';
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
 * payment waits for it or it speaks of money that is not known, otherwise rate-limited while something may change. So a forged or repeated one changes
 * nothing, and each transaction that paid an order is asked about, however soon one comes after another. While the gateway is asked about one that it
 * calls paid, the payer cannot cancel it; and it is checked as a new payment is, until the gateway proves it.
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
    const { isGenuine, isNews, isNothingNew, paid, paidAgain, reportedPaid } = readHint(hint, payment, nowMs);
    log('info', 'payment notification', { isGenuine });
    const job = { kind: 'resolve', account: account.id, session: session.id, payment: payment.id } as const;
    if (isNothingNew) return 'heard';
    if (paidAgain !== undefined) {
      // The gateway may list it a moment later. Noted last: nothing else would ask about this money.
      await paymentsQueue.send([{ ...job, isPaidAgain: true, paid }], { delaySeconds: pollIntervalMs / 1_000 });
      await payments.noteReportedPaid(payment, paidAgain, nowMs);
      return 'heard';
    }
    if (!isNews && !(await payments.claimPoll(found, nowMs))) return 'heard';
    if (reportedPaid !== undefined) await payments.noteReportedPaid(payment, reportedPaid, nowMs);
    await paymentsQueue.send([{ ...job, paid, ...(reportedPaid !== undefined && { check: 0 }) }]);
    return 'heard';
  };

const readHint = (hint: GatewayHint | undefined, payment: Payment, nowMs: number) => {
  const { id, status, mark, transactionId } = payment;
  const isGenuine = hint?.isGenuine === true && hint.reference === id;
  const paid = isGenuine && hint.isPaid ? hint.transactionId : undefined;
  const isOther = paid !== undefined && paid !== transactionId;
  const hasMoney = status === 'SUCCEEDED' || mark === 'held';
  const isRepeated = paid !== undefined && isJustReportedPaidWith(payment, paid, nowMs);
  return {
    isGenuine,
    isNews: !hasMoney && ((isGenuine && status === 'PENDING') || isOther),
    isNothingNew: isOther ? hasMoney && isRepeated : !isWorthAsking(payment),
    paid,
    // Money besides that of the payment.
    paidAgain: hasMoney && isOther ? paid : undefined,
    // Money of a payment that has none yet. Repeated, it begins no second row of checks.
    reportedPaid: hasMoney || isRepeated ? undefined : paid,
  };
};
