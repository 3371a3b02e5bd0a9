import { nthId } from '../kit/id.ts';
import { type JsonText, jsonOf } from '../kit/json-text.ts';
import type { WebhookEvent } from '../webhooks/publish.ts';
import type { Payment, PaymentMark } from './payment.ts';
import type { Refund } from './refund.ts';
import type { CheckoutSession } from './session.ts';

/** The events of the checkout specification, "Event types". A subscription that names none gets these. */
export const usualCheckoutEvents = [
  'payment.succeeded',
  'payment.failed',
  'refund.succeeded',
  'refund.failed',
] as const;

/** All checkout events. Ids depend on the order, so names are only added at the end. */
export const checkoutEventNames = [...usualCheckoutEvents, 'checkout_session.expired'] as const;
export type CheckoutEventName = (typeof checkoutEventNames)[number];

/** The parts of a payment that decide its event. */
export type PaymentState = Pick<Payment, 'status'> & { readonly mark?: PaymentMark | undefined };
/** The parts of a refund that decide its event. */
export type RefundState = Pick<Refund, 'status' | 'isAutomatic'>;

/** The event that a payment gives when it comes to this status. Surplus money has none, because it is refunded automatically. */
export const eventOfPayment = ({ status, mark }: PaymentState): CheckoutEventName | undefined => {
  if (status === 'SUCCEEDED') return mark === 'surplus' ? undefined : 'payment.succeeded';
  return status === 'FAILED' ? 'payment.failed' : undefined;
};

/** The event that a refund gives when it comes to this status. */
export const eventOfRefund = ({ status, isAutomatic }: RefundState): CheckoutEventName | undefined => {
  if (isAutomatic || status === 'PENDING') return undefined;
  return status === 'SUCCEEDED' ? 'refund.succeeded' : 'refund.failed';
};

/** The same event of the same payment, refund or session always has the same id, distinct from other derived ids. */
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

/** An event of a payment, with the metadata of its session, which never changes. */
export const paymentEvent = (
  name: CheckoutEventName,
  payment: Payment,
  metadata: JsonText,
  occurredMs: number,
): WebhookEvent => ({
  id: checkoutEventId(payment.id, name),
  name,
  occurredMs,
  payload: paymentEventBody(name, payment, metadata),
});

/** An event of a refund. */
export const refundEvent = (name: CheckoutEventName, refund: Refund, occurredMs: number): WebhookEvent => ({
  id: checkoutEventId(refund.id, name),
  name,
  occurredMs,
  payload: refundEventBody(name, refund),
});

/** The body of a session's event. */
export const sessionEventBody = (
  event: CheckoutEventName,
  { id, accountId, metadata }: Pick<CheckoutSession, 'id' | 'accountId' | 'metadata'>,
): string => body(event, accountId, { checkoutSessionId: id, metadata });

/** An event of a session. */
export const sessionEvent = (name: CheckoutEventName, session: CheckoutSession, occurredMs: number): WebhookEvent => ({
  id: checkoutEventId(session.id, name),
  name,
  occurredMs,
  payload: sessionEventBody(name, session),
});
