import type { GatewayAnswer } from '../../checkout/gateway-answer.ts';
import type { RefundOrder } from '../../checkout/order.ts';
import { idOfOrderNumber } from '../../checkout/order-number.ts';
import { textAt } from '../../kit/json-pointer.ts';
import { minorOf } from './decimal-amount.ts';
import { unknownAnswer } from './unknown-answer.ts';

/** What the gateway says of a payment, the weightiest first: of several tries to pay one order, the one that succeeded counts. */
const paymentStates = {
  VALID: 'succeeded',
  /** Succeeded, and asked for before. */
  VALIDATED: 'succeeded',
  /** The payer has tried to pay, and the outcome is open. */
  PENDING: 'pending',
  /** The payer has not chosen a way to pay, and still may. */
  UNATTEMPTED: 'pending',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const satisfies Record<string, GatewayAnswer['state']>;

const isPaymentStatus = (text: string): text is keyof typeof paymentStates => Object.hasOwn(paymentStates, text);

/** A refund that was asked for. `success` says that it has been taken up, not that the money has gone back. */
const refundRequestStates = { success: 'pending', processing: 'pending', failed: 'failed' } as const;

const refundStates = { refunded: 'succeeded', processing: 'pending', cancelled: 'failed' } as const;

/** Our number of this payment or refund has been used: the first request stands, regardless of what came of it. */
export const repetition = /duplicate|already/i;

/** `DONE` when the gateway has taken a question up; otherwise why it has not. */
export const connection = (document: unknown): string => textAt(document, '/APIConnect') ?? 'no_status';

/** Why a question was not taken up: the call, the store or its credentials were refused at the door, so nothing has come of it. */
const turnedAway: readonly string[] = ['INVALID_REQUEST', 'FAILED', 'INACTIVE'];

/** What stands for a document when none came. */
export const nothingCame = (why: string) => ({ APIConnect: why });

/** Tries to pay an order, the weightiest first, and of those that succeeded the earliest: asked again, the gateway is understood alike. */
export const triesIn = (document: unknown): readonly unknown[] => {
  const weightOf = (element: unknown) => Object.keys(paymentStates).indexOf(textAt(element, '/status') ?? '');
  const elements = elementsOf(document).filter((element) => weightOf(element) >= 0);
  const rankOf = (element: unknown) => (stateOf(element).state === 'succeeded' ? 0 : weightOf(element));
  const timeOf = (element: unknown) => `${textAt(element, '/tran_date')} ${textAt(element, '/bank_tran_id')}`;
  return elements.sort((one, other) => rankOf(one) - rankOf(other) || timeOf(one).localeCompare(timeOf(other)));
};

/** A single try may come without a list around it. */
const elementsOf = (document: unknown): unknown[] => {
  const elements: unknown = typeof document === 'object' && document !== null && Reflect.get(document, 'element');
  return Array.isArray(elements) ? elements : [elements];
};

/** Whether an order has a try that cannot be read: then nothing is certain but a success. */
export const hasUnreadTry = (document: unknown): boolean => {
  const counted = textAt(document, '/no_of_trans_found');
  const tries = elementsOf(document).filter((element) => typeof element === 'object' && element !== null);
  if (counted === '0') return false;
  return (
    !tries.every((each) => isPaymentStatus(textAt(each, '/status') ?? '')) ||
    (Number(counted) > 0 && tries.length === 0)
  );
};

/** What an element of a query, or a validation, says by its status alone. */
export const stateOf = (element: unknown): GatewayAnswer => {
  const status = textAt(element, '/status') ?? connection(element);
  const reason = textAt(element, '/error');
  if (!isPaymentStatus(status)) return unknownAnswer(status, reason);
  return {
    state: paymentStates[status],
    code: status,
    ...(status === 'PENDING' && { isUndecided: true }),
    ...(reason && { reason }),
  };
};

/**
 * The validation of a payment that succeeded by the gateway's earlier answers; if it contradicts them, nothing is certain.
 * `amount` is in taka, regardless of what was asked for; `currency_amount` is in the currency that was asked for.
 */
export const validationAnswer = (document: unknown): GatewayAnswer => {
  const answer = stateOf(document);
  if (answer.state !== 'succeeded') return { ...answer, state: 'unknown' };
  const text = (name: string) => textAt(document, `/${name}`) || undefined;
  const currency = text('currency_type') ?? text('currency');
  const amountMinor = minorOf(text(currency === 'BDT' ? 'amount' : 'currency_amount') ?? '');
  if (amountMinor === undefined || currency === undefined) return unknownAnswer('unreadable_amount');
  const paymentId = idOfOrderNumber(text('tran_id') ?? '');
  const transactionId = text('bank_tran_id');
  return {
    ...answer,
    amountMinor,
    currency,
    isRisky: text('risk_level') === '1',
    ...(paymentId && { paymentId }),
    ...(transactionId && { transactionId }),
  };
};

/** The result of a refund request. An earlier request whose response was lost may have been carried out, and be the reason of a later refusal. */
export const refundRequestAnswer = (
  document: unknown,
  { wasRequested }: Pick<RefundOrder, 'wasRequested'>,
): GatewayAnswer => {
  const reason = textAt(document, '/errorReason') ?? '';
  const reference = textAt(document, '/refund_ref_id') || undefined;
  if (repetition.test(reason))
    return reference ? { state: 'pending', code: 'repeated', reference } : unknownAnswer('repeated', reason);
  if (turnedAway.includes(connection(document)))
    return { ...unknownAnswer(connection(document), reason), mayRetry: true };
  const answer = refundAnswer(document, refundRequestStates);
  return wasRequested && answer.state === 'failed' ? unknownAnswer('repeated', answer.reason) : answer;
};

/** The status of a refund. The gateway returns no amount. */
export const refundStateAnswer = (document: unknown): GatewayAnswer => refundAnswer(document, refundStates);

const refundAnswer = (document: unknown, states: Readonly<Record<string, GatewayAnswer['state']>>): GatewayAnswer => {
  const status = textAt(document, '/status') || connection(document);
  const reason = textAt(document, '/errorReason') || undefined;
  const reference = textAt(document, '/refund_ref_id') || undefined;
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  if (connection(document) !== 'DONE' || !state) return unknownAnswer(status, reason);
  return { state, code: status, ...(reason && { reason }), ...(reference && { reference }) };
};
