import { nthId } from '../kit/id.ts';
import { type JsonText, jsonOf } from '../kit/json-text.ts';
import type { Payment, PaymentMark, Refund } from './payment.ts';

/** The complete list of what a checkout subscription can hear of (checkout specification, "Event types"). */
export const checkoutEventNames = ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed'] as const;
export type CheckoutEventName = (typeof checkoutEventNames)[number];

/** What of a payment tells that an event has happened to it. */
export type PaymentTraces = Pick<Payment, 'status'> & { readonly mark?: PaymentMark | undefined };
/** What of a refund does. */
export type RefundTraces = Pick<Refund, 'status' | 'isAutomatic'>;

const paymentEvent = ({ status, mark }: PaymentTraces): CheckoutEventName | undefined => {
  if (status === 'SUCCEEDED') return mark === 'surplus' ? undefined : 'payment.succeeded';
  return status === 'FAILED' ? 'payment.failed' : undefined;
};

const refundEvent = ({ status, isAutomatic }: RefundTraces): CheckoutEventName | undefined => {
  if (isAutomatic || status === 'PENDING') return undefined;
  return status === 'SUCCEEDED' ? 'refund.succeeded' : 'refund.failed';
};

/** The event that one change of a payment is. The merchant never hears of surplus money, which goes back by itself. */
export const eventOfPayment = (
  before: PaymentTraces | undefined,
  after: PaymentTraces,
): CheckoutEventName | undefined => (before?.status === after.status ? undefined : paymentEvent(after));

/** The event that one change of a refund is. */
export const eventOfRefund = (before: RefundTraces | undefined, after: RefundTraces): CheckoutEventName | undefined =>
  before?.status === after.status ? undefined : refundEvent(after);

/** The same event of the same payment or refund always has the same id. Events are apart from what else goes by ids of theirs. */
export const checkoutEventId = (id: string, name: CheckoutEventName): string =>
  nthId(id, 2_000 + checkoutEventNames.indexOf(name));

const body = (event: CheckoutEventName, merchantId: string, data: object): string =>
  jsonOf({ event, merchantId, data });

/** The body of a payment's event, with the metadata of its session. */
export const paymentEventBody = (
  event: CheckoutEventName,
  {
    id,
    sessionId,
    accountId,
    amountMinor,
    currency,
  }: Pick<Payment, 'id' | 'sessionId' | 'accountId' | 'amountMinor' | 'currency'>,
  metadata: JsonText,
): string => body(event, accountId, { paymentId: id, checkoutSessionId: sessionId, amountMinor, currency, metadata });

/** The body of a refund's event. */
export const refundEventBody = (
  event: CheckoutEventName,
  {
    id,
    paymentId,
    accountId,
    amountMinor,
    status,
  }: Pick<Refund, 'id' | 'paymentId' | 'accountId' | 'amountMinor' | 'status'>,
): string => body(event, accountId, { refundId: id, paymentId, amountMinor, status });
