import type { GatewayAnswer } from '../../checkout/gateway-answer.ts';
import type { RefundOrder } from '../../checkout/order.ts';
import { idOfOrderNumber } from '../../checkout/order-number.ts';
import { textAt } from '../../kit/json-pointer.ts';
import { minorOf } from './decimal-amount.ts';
import type { GatewayReply } from './gateway-http.ts';
import { unknownAnswer } from './unknown-answer.ts';

/** The code of everything that went well. */
export const done = '0000';

/**
 * Codes that say something certain. All others are not branched on, because sources disagree about them or they leave open what became of the
 * money: 2003 (failed), 2029 (a duplicate, perhaps of the same request), 2056 (invalid state, as before the payer has agreed), 2062, 2117 (execute
 * has been called before), 2127 (not completed yet), 9999 (internal). Then bKash is asked.
 */
const certain: Readonly<Record<string, 'declined' | 'not_paid' | 'not_refunded' | 'token_refused'>> = {
  /** Insufficient balance. */
  2023: 'declined',
  /** The account of the payer or of the merchant is in a state, or of a kind, that forbids a payment now; a refund may be made later. */
  2037: 'not_paid',
  2038: 'not_paid',
  2039: 'not_paid',
  2040: 'not_paid',
  2041: 'not_paid',
  /** The payer has no bKash account, or not one of a customer. */
  2057: 'not_paid',
  2058: 'not_paid',
  /** The refund window has passed; the amount, the SKU, the reason or the transaction is not valid; it cannot be reversed. */
  2071: 'not_refunded',
  2072: 'not_refunded',
  2073: 'not_refunded',
  2074: 'not_refunded',
  2075: 'not_refunded',
  2076: 'not_refunded',
  2077: 'not_refunded',
  2078: 'not_refunded',
  /** Invalid app token. */
  2079: 'token_refused',
  /** The payer, the debited party or the merchant is not permitted to. */
  2080: 'declined',
  2081: 'declined',
  2082: 'declined',
};

/** `Authorized` is money held, not money paid. */
const states: Readonly<Record<string, GatewayAnswer['state']>> = {
  Completed: 'succeeded',
  Initiated: 'pending',
  Authorized: 'pending',
  Failed: 'failed',
  Declined: 'failed',
  Cancelled: 'cancelled',
  Expired: 'expired',
};

const firstOf = (document: unknown, ...names: readonly string[]): string | undefined =>
  names.map((name) => textAt(document, `/${name}`)).find((text) => text !== undefined && text !== '');

/** Errors come with HTTP 200 too, and each part of the API has its own words for them. Proxies before bKash have a `statusCode` of three digits. */
export const codeOf = (document: unknown): string | undefined => {
  const code = firstOf(document, 'statusCode', 'errorCode', 'externalCode');
  return code !== undefined && /^\d{4}$/.test(code) ? code : undefined;
};

export const reasonOf = (document: unknown): string | undefined =>
  firstOf(document, 'statusMessage', 'errorMessage', 'errorMessageEn', 'message');

/** Refused with a code of bKash, or by what stands before it, which answers 401 or 403 with a message alone. */
export const isTokenRefused = (reply: GatewayReply): boolean => {
  if (reply.kind !== 'answered') return false;
  const code = codeOf(reply.document);
  const isForbidden = reply.status === 403 && code === undefined;
  return reply.status === 401 || isForbidden || certain[code ?? ''] === 'token_refused';
};

/** Nothing can be concluded from this reply. */
export const unclear = (reply: GatewayReply): GatewayAnswer =>
  reply.kind === 'answered'
    ? unknownAnswer(codeOf(reply.document) ?? 'unclear', reasonOf(reply.document))
    : unknownAnswer(reply.kind);

/** What bKash says of a payment; undefined: an error, or the words of a proxy before it. */
const saidOf = (reply: GatewayReply): unknown => {
  const document = reply.kind === 'answered' ? reply.document : undefined;
  return (codeOf(document) ?? done) === done && textAt(document, '/paymentID') !== undefined ? document : undefined;
};

/** The answer of a query or an execution about its payment. */
export const paymentAnswer = (reply: GatewayReply, reference: string): GatewayAnswer => {
  const said = saidOf(reply);
  if (said === undefined) return unclear(reply);
  const text = (...names: readonly string[]) => firstOf(said, ...names);
  const status = text('transactionStatus') ?? '';
  const state = states[status];
  if (text('paymentID') !== reference) return unknownAnswer('other_payment');
  if (state === undefined) return unknownAnswer(status || 'no_status');
  if (state !== 'succeeded') return { state, code: status, ...(status === 'Authorized' && { isUndecided: true }) };
  const amountMinor = minorOf(text('amount') ?? '');
  const [currency, transactionId] = [text('currency'), text('trxID')];
  const paymentId = idOfOrderNumber(text('merchantInvoiceNumber', 'merchantInvoice') ?? '');
  if (amountMinor === undefined || currency === undefined) return unknownAnswer('unreadable_amount');
  return {
    state,
    code: status,
    amountMinor,
    currency,
    reference,
    ...(paymentId && { paymentId }),
    ...(transactionId && { transactionId }),
  };
};

/** The certain result of an execution; undefined: query the payment. */
export const executionAnswer = (reply: GatewayReply, reference: string): GatewayAnswer | undefined => {
  const code = reply.kind === 'answered' ? codeOf(reply.document) : undefined;
  const meaning = certain[code ?? ''];
  if (meaning === 'declined' || meaning === 'not_paid') return { ...unclear(reply), state: 'failed' };
  const answer = paymentAnswer(reply, reference);
  return answer.state === 'succeeded' ? answer : undefined;
};

const referenceOf = (refund: unknown): string | undefined => firstOf(refund, 'refundTrxId', 'refundTrxID');

/** One refund of a payment, in the reply to its request or in the list of all. */
const refundAnswer = (refund: unknown): GatewayAnswer => {
  const status = firstOf(refund, 'refundTransactionStatus') ?? 'no_status';
  const amountMinor = minorOf(firstOf(refund, 'refundAmount') ?? '');
  const [state, reference] = [states[status], referenceOf(refund)];
  if (state === undefined || amountMinor === undefined || !reference) return unknownAnswer(status);
  return { state, code: status, amountMinor, reference };
};

/** The certain result of a refund request; undefined: query the refunds. */
export const refundRequestAnswer = (reply: GatewayReply): GatewayAnswer | undefined => {
  if (reply.kind !== 'answered') return undefined;
  const meaning = certain[codeOf(reply.document) ?? ''];
  if (meaning === 'not_refunded' || meaning === 'declined') return { ...unclear(reply), state: 'failed' };
  const answer = refundAnswer(reply.document);
  return answer.state === 'unknown' ? undefined : answer;
};

/** Clocks differ, and bKash writes the end of a refund, we its beginning. */
const clockSkewMs = 120_000;

/** bKash writes `2026-09-20T14:47:03:555 GMT+0600`, and in some places leaves out the offset of Dhaka. Any other form is no instant. */
const instantOf = (text: string): number => {
  const [, second, offset = '+0600'] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.:]\d+)?(?: GMT([+-]\d{4}))?$/.exec(text) ?? [];
  return Date.parse(`${second}${offset.slice(0, 3)}:${offset.slice(3)}`);
};

/**
 * A refund among all of its payment. bKash stores no id of ours: until we know bKash's id, a refund is ours that has our amount,
 * was completed after we began, and is not known to be another one.
 */
export const refundIn = (reply: GatewayReply, refund: RefundOrder): GatewayAnswer => {
  const list = reply.kind === 'answered' ? refundsIn(reply.document) : undefined;
  // That this question did not reach bKash says nothing of the refund, which may have been made.
  if (!list) return { ...unclear(reply), mayRetry: false };
  const [ours, ...others] = list.filter((each) => isOf(refund, each));
  if (ours === undefined)
    return {
      ...unknownAnswer('refund_not_found'),
      ...(!list.some((each) => mayBe(refund, each)) && { isUnlisted: true }),
    };
  return others.length > 0 ? unknownAnswer('several_refunds') : refundAnswer(ours);
};

const isOf = (order: RefundOrder, refund: unknown): boolean =>
  order.reference
    ? referenceOf(refund) === order.reference
    : mayBe(order, refund) && completedMsOf(refund) >= order.createdMs - clockSkewMs;

/** Whether a refund may be ours. One that is not completed yet has no time. An amount in a form that we cannot read may be ours too. */
const mayBe = ({ otherReferences, amountMinor, createdMs }: RefundOrder, refund: unknown): boolean =>
  !otherReferences.includes(referenceOf(refund) ?? '') &&
  [amountMinor, undefined].includes(minorOf(firstOf(refund, 'refundAmount') ?? '')) &&
  !(completedMsOf(refund) < createdMs - clockSkewMs);

const completedMsOf = (refund: unknown): number => instantOf(firstOf(refund, 'completedTime') ?? '');

const refundsIn = (document: unknown): readonly unknown[] | undefined => {
  const list: unknown =
    typeof document === 'object' && document !== null && Reflect.get(document, 'refundTransactions');
  return Array.isArray(list) ? list : undefined;
};
