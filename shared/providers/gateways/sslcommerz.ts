import { unclearMs } from '../../checkout/claim.ts';
import type { GatewayAdapter, Opening } from '../../checkout/gateway-adapter.ts';
import type { GatewayAnswer } from '../../checkout/gateway-answer.ts';
import type { PaymentOrder, RefundOrder } from '../../checkout/order.ts';
import { idOfOrderNumber, orderNumberOf } from '../../checkout/order-number.ts';
import { formFields } from '../../kit/form-fields.ts';
import { textAt } from '../../kit/json-pointer.ts';
import { log } from '../../kit/log.ts';
import type { Clock } from '../../kit/time.ts';
import { decimalOf } from './decimal-amount.ts';
import { type CallGateway, formCall, type GatewayHttp, gatewayHttp, getCall } from './gateway-http.ts';
import { payerAddressIn } from './payer-address.ts';
import {
  connection,
  hasUnreadTry,
  nothingCame,
  refundRequestAnswer,
  refundStateAnswer,
  repetition,
  stateOf,
  triesIn,
  validationAnswer,
} from './sslcommerz-answers.ts';
import { refundRemarks, sessionForm } from './sslcommerz-form.ts';
import { isSigned } from './sslcommerz-sign.ts';
import { unknownAnswer } from './unknown-answer.ts';

export interface SslcommerzCredentials {
  readonly storeId: string;
  readonly storePassword: string;
}

interface SslcommerzOptions {
  readonly livemode: boolean;
  /** Instead of the gateway's own host. */
  readonly baseUrl?: string | undefined;
  readonly http?: GatewayHttp;
  readonly clock?: Clock;
}

const hosts = { live: 'https://securepay.sslcommerz.com', test: 'https://sandbox.sslcommerz.com' } as const;

/**
 * SSLCommerz, version 4 (developer.sslcommerz.com). What it notifies and what the browser brings are never believed: a payment has succeeded
 * when the validation of its `val_id` says so.
 */
export const sslcommerzAdapter = (
  { storeId, storePassword }: SslcommerzCredentials,
  { livemode, baseUrl = hosts[livemode ? 'live' : 'test'], http = gatewayHttp(), clock = Date.now }: SslcommerzOptions,
): GatewayAdapter => {
  const store = { store_id: storeId, store_passwd: storePassword };
  const validation = `${baseUrl}/validator/api/validationserverAPI.php`;
  const transactions = `${baseUrl}/validator/api/merchantTransIDvalidationAPI.php`;

  const ask = async (
    call: CallGateway,
    address: string,
    question: Readonly<Record<string, string>>,
  ): Promise<unknown> => {
    const query = new URLSearchParams({ ...question, ...store, v: '1', format: 'json' });
    const reply = await call(getCall(`${address}?${query}`));
    return reply.kind === 'answered' ? reply.document : nothingCame(reply.kind);
  };

  const query = async (order: PaymentOrder): Promise<GatewayAnswer> => {
    const call = http();
    const found = await ask(call, transactions, { tran_id: orderNumberOf(order.paymentId) });
    if (connection(found) !== 'DONE') return unknownAnswer(connection(found));
    const tries = triesIn(found);
    const [weightiest] = tries;
    const paid = paidIn(tries);
    reportSurplus(order, paid);
    if (!isListed(order, tries)) return unknownAnswer('not_listed');
    const answer: GatewayAnswer = weightiest ? stateOf(weightiest) : { state: 'pending', code: 'not_found' };
    if (answer.state !== 'succeeded') return hasUnreadTry(found) ? unknownAnswer('unreadable_tries') : answer;
    const validated = validationAnswer(await ask(call, validation, { val_id: textAt(weightiest, '/val_id') ?? '' }));
    if (validated.state === 'unknown' && clock() - order.createdMs >= unclearMs) reportUnproven(order, validated);
    return validated;
  };

  return {
    create: async (order): Promise<Opening> => {
      const reply = await http()(formCall(`${baseUrl}/gwprocess/v4/api.php`, { ...sessionForm(order), ...store }));
      if (reply.kind !== 'answered') return { kind: 'unavailable' };
      const text = (name: string) => textAt(reply.document, `/${name}`) ?? '';
      const redirectUrl = payerAddressIn(text('GatewayPageURL'), baseUrl);
      if (text('status') === 'SUCCESS' && redirectUrl !== undefined)
        return { kind: 'opened', redirectUrl, reference: text('sessionkey') };
      const reason = text('failedreason');
      if (text('status') !== 'FAILED' || repetition.test(reason)) return { kind: 'unavailable' };
      return { kind: 'refused', code: 'FAILED', reason };
    },

    confirm: query,
    query,

    refund: async (order, refund) => {
      if (!order.transactionId) return unknownAnswer('no_transaction');
      const question = {
        bank_tran_id: order.transactionId,
        refund_trans_id: orderNumberOf(refund.refundId),
        refund_amount: decimalOf(refund.amountMinor),
        refund_remarks: refundRemarks(refund.reason),
      };
      return refundRequestAnswer(await ask(http(), transactions, question), refund);
    },

    queryRefund: async (_order: PaymentOrder, { reference }: RefundOrder) => {
      // It cannot be asked about a refund that it has not named, and is not known to make one only once under our `refund_trans_id`: a person looks there.
      if (!reference) return unknownAnswer('no_reference');
      return refundStateAnswer(await ask(http(), transactions, { refund_ref_id: reference }));
    },

    parseNotification: (_headers, rawBody) => {
      const fields = formFields(rawBody);
      const reference = idOfOrderNumber(fields['tran_id'] ?? '');
      const transactionId = fields['bank_tran_id'] ?? '';
      const isPaid = ['VALID', 'VALIDATED'].includes(fields['status'] ?? '');
      return reference ? { reference, transactionId, isPaid, isGenuine: isSigned(fields, storePassword) } : undefined;
    },
  };
};

const namesOf = ({ accountId, sessionId, paymentId }: PaymentOrder) => ({
  accountId,
  sessionId,
  paymentId,
  orderNumber: orderNumberOf(paymentId),
});

/** The gateway lists the payment as paid and does not confirm it: no answer of its may ever settle it, so a person must look there. */
const reportUnproven = (order: PaymentOrder, { code }: GatewayAnswer): void =>
  log('error', 'a payment is listed as paid and not confirmed', { ...namesOf(order), code, needsPerson: true });

const nameOf = (each: unknown): string => textAt(each, '/bank_tran_id') ?? '';

/** The transactions that an order was paid with. */
const paidIn = (tries: readonly unknown[]): readonly string[] =>
  tries.filter((each) => stateOf(each).state === 'succeeded').map(nameOf);

/** Whether it says what has become of the money that it has notified: it may list that later, or as pending. */
const isListed = ({ paidBesides }: PaymentOrder, tries: readonly unknown[]): boolean =>
  !paidBesides ||
  tries.some((each) => nameOf(each) === paidBesides && !['pending', 'unknown'].includes(stateOf(each).state));

/** The payer paid one order twice. The payment in our books counts, before that the first; a person must refund the other at the gateway. */
const reportSurplus = (order: PaymentOrder, paid: readonly string[]): void => {
  const counted = Math.max(0, order.transactionId === undefined ? 0 : paid.indexOf(order.transactionId));
  const transactionIds = paid.filter((_, n) => n !== counted);
  if (transactionIds.length > 0)
    log('error', 'a payment was paid more than once', { ...namesOf(order), transactionIds, needsPerson: true });
};
