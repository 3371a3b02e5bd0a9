import { mayFindMoney, nextLaterCheckMs } from '../../checkout/checks.ts';
import { checkoutEventId, checkoutEventNames, eventOfPayment } from '../../checkout/events.ts';
import type { Payment } from '../../checkout/payment.ts';
import { settledMs } from '../../checkout/payment-view.ts';
import type { Refund } from '../../checkout/refund.ts';
import type { CheckoutSession } from '../../checkout/session.ts';
import { endsMs, statusAt } from '../../checkout/session-status.ts';
import { emptyObject } from '../../kit/json-text.ts';
import {
  paymentFrom,
  refundFrom,
  sealedOutcome,
  sealedRefundDetails,
  sealedSessionDetails,
  sessionFrom,
} from '../checkout/checkout-items.ts';
import { paymentStore } from '../checkout/payment-store.ts';
import { sessionStore } from '../checkout/session-store.ts';
import { keyIn, partitions } from '../keys.ts';
import type { Item } from '../table.ts';
import { eventTraces, isAwaited } from './event-traces.ts';
import { type DataSubject, type Stores, type Trace, without } from './trace.ts';
import { pagesOf, rowsOf } from './walk.ts';

const rowsAtOnce = 100;

const workOfPayment = [
  'returnToken',
  'confirmationClaim',
  'lostConfirmations',
  'chaos',
  'polledMs',
  'reportedPaidMs',
  'returnedMs',
  'reportedPaid',
] as const;

const withoutReason = <Said extends { readonly reason?: string }>({ reason: _, ...said }: Said): Omit<Said, 'reason'> =>
  said;

/** The payment without what its gateway and a reviewer wrote. */
const erasedPayment = (payment: Payment): Payment => ({
  ...payment,
  lastAnswer: payment.lastAnswer && withoutReason(payment.lastAnswer),
  review: payment.review && withoutReason(payment.review),
});

const erasedRefund = (refund: Refund): Refund => ({ ...refund, reason: undefined, failureReason: undefined });

/** The session without its customer and its metadata, and without its other texts where they have an address of the person. */
const erasedSession = (session: CheckoutSession, mentions: DataSubject['mentions']): CheckoutSession => {
  const unnamed = <Text>(text: Text): Text | undefined => (mentions(text) ? undefined : text);
  return {
    ...session,
    customer: {},
    metadata: emptyObject,
    description: unnamed(session.description),
    successUrl: unnamed(session.successUrl),
    cancelUrl: unnamed(session.cancelUrl),
    invoiceId: unnamed(session.invoiceId),
    lineItems: unnamed(session.lineItems) ?? [],
  };
};

/** What lies beside a session's row, and what decides when it can be erased: its payments, and which of its events are stored. */
interface Around {
  readonly body: Item | undefined;
  readonly isUnderWay: boolean;
  readonly paid: readonly Item[];
  readonly stored: ReadonlySet<string>;
}

/**
 * An account may accept money that is found for a payment after it has expired, or that a person has yet to review. Its session then is completed,
 * with an event that has its metadata.
 */
const mayComplete = (payment: Payment, nowMs: number): boolean =>
  payment.status === 'EXPIRED' &&
  (payment.mark === 'held' ||
    (mayFindMoney(payment) && nextLaterCheckMs('payment', payment.createdMs, nowMs) !== undefined));

/** The events that have the session's metadata. */
const eventsOf = (session: CheckoutSession, payments: readonly Payment[]) => [
  ...payments.flatMap((payment) => {
    const name = eventOfPayment(payment);
    return name ? [{ id: checkoutEventId(payment.id, name), happenedMs: settledMs({ session, payment }) }] : [];
  }),
  ...(session.status === 'EXPIRED'
    ? [{ id: checkoutEventId(session.id, 'checkout_session.expired'), happenedMs: endsMs(session) }]
    : []),
];

/**
 * The checkout sessions whose customer or payer the person is, with their payments and refunds. All sessions of the account are read, because none
 * is found by its customer. Ids, amounts, states and times stay, because an account has to keep books of them.
 */
export const checkoutTraces = (stores: Stores) => {
  const { table, vault } = stores;
  const sessions = sessionStore(table, vault);
  const payments = paymentStore(table, vault);
  const tracesOfEvents = eventTraces(stores);

  const idsOf = async ({ account, mentions }: DataSubject): Promise<string[]> => {
    const page = (cursor: string | undefined) => ({ cursor, limit: rowsAtOnce });
    const own = pagesOf((cursor) =>
      sessions.listOfAccount(account, {}, page(cursor), ({ session }) => mentions(session)),
    );
    const paid = pagesOf((cursor) =>
      payments.listOfAccount(account, {}, page(cursor), ({ session, payment }) => mentions([session, payment])),
    );
    const ids = new Set<string>();
    for await (const { session } of own) ids.add(session.id);
    for await (const { session } of paid) ids.add(session.id);
    return [...ids];
  };

  /**
   * Changes a sealed attribute of an item that is as it was read. All of a person is read before it is erased, and meanwhile a gateway may report
   * other money for a payment that keeps its status.
   */
  const rewrite = async (item: Item, attribute: string, sealed: Uint8Array): Promise<boolean> => {
    const { done } = await table.update({
      Key: keyIn(item),
      UpdateExpression: 'SET #attribute = :sealed',
      ConditionExpression: '#status = :status AND #attribute = :read',
      ExpressionAttributeNames: { '#attribute': attribute, '#status': 'status' },
      ExpressionAttributeValues: { ':sealed': sealed, ':read': item[attribute], ':status': item['status'] },
    });
    return done;
  };

  const paymentTrace = ({ cipher }: DataSubject, item: Item): Trace => {
    const payment = paymentFrom(cipher, item);
    const hasReason = payment.lastAnswer?.reason !== undefined || payment.review?.reason !== undefined;
    const erase = async () =>
      payment.status !== 'PENDING' && rewrite(item, 'outcome', sealedOutcome(cipher, payment, erasedPayment(payment)));
    return { kind: 'payment', holds: without(payment, ...workOfPayment), ...(hasReason && { erase }) };
  };

  const refundTrace = ({ cipher }: DataSubject, item: Item): Trace => {
    const refund = refundFrom(cipher, item);
    const hasReason = refund.reason !== undefined || refund.failureReason !== undefined;
    const erase = async () =>
      refund.status !== 'PENDING' &&
      rewrite(item, 'details', sealedRefundDetails(cipher, refund, erasedRefund(refund)));
    return { kind: 'refund', holds: without(refund, 'claim', 'wasRequested'), ...(hasReason && { erase }) };
  };

  /** Writes a session's texts again where they lie: in its row, or beside it. */
  const rewriteDetails = async (row: Item, body: Item | undefined, sealed: Uint8Array): Promise<boolean> => {
    if (!body) return rewrite(row, 'details', sealed);
    const refused = await table.transact([
      {
        ConditionCheck: {
          Key: keyIn(row),
          ConditionExpression: '#status = :status',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':status': row['status'] },
        },
      },
      {
        Update: {
          Key: keyIn(body),
          UpdateExpression: 'SET details = :sealed',
          ConditionExpression: 'details = :read',
          ExpressionAttributeValues: { ':sealed': sealed, ':read': body['details'] },
        },
      },
    ]);
    return refused === undefined;
  };

  /** A session is needed as it is while a payer may come to it, while a payment or refund of it goes on, and until its events are stored. */
  const sessionTrace = (
    { cipher, mentions }: DataSubject,
    row: Item,
    { body, isUnderWay, paid, stored }: Around,
  ): Trace => {
    const session = sessionFrom(cipher, row, body);
    const payments = paid.map((payment) => paymentFrom(cipher, payment));
    const events = eventsOf(session, payments);
    const maybePaid = session.status === 'COMPLETED' ? [] : payments;
    return {
      kind: 'checkoutSession',
      holds: { ...session, metadata: JSON.parse(session.metadata.text) },
      erase: async (nowMs) =>
        !isUnderWay &&
        !maybePaid.some((payment) => mayComplete(payment, nowMs)) &&
        !events.some((event) => isAwaited(event, stored, nowMs)) &&
        statusAt(session, nowMs).status !== 'OPEN' &&
        rewriteDetails(row, body, sealedSessionDetails(cipher, erasedSession(session, mentions))),
    };
  };

  const tracesOf = async (subject: DataSubject, id: string): Promise<Trace[]> => {
    const items = await Array.fromAsync(rowsOf(table, partitions.checkout(id)));
    const of = (entity: string) => items.filter((item) => item['entity'] === entity);
    const [paid, refunded, [body]] = [of('payment'), of('refund'), of('checkout-session-body')];
    const isUnderWay = [...paid, ...refunded].some(({ status }) => status === 'PENDING');
    const things = [id, ...paid.map(({ payment }) => String(payment)), ...refunded.map(({ refund }) => String(refund))];
    const { traces, stored } = await tracesOfEvents(
      subject,
      things.flatMap((thing) => checkoutEventNames.map((name) => checkoutEventId(thing, name))),
    );
    return [
      ...traces,
      ...paid.map((item) => paymentTrace(subject, item)),
      ...refunded.map((item) => refundTrace(subject, item)),
      ...of('checkout-session').map((item) => sessionTrace(subject, item, { body, isUnderWay, paid, stored })),
    ];
  };

  return async (subject: DataSubject): Promise<Trace[]> => {
    const traces: Trace[] = [];
    for (const id of await idsOf(subject)) traces.push(...(await tracesOf(subject, id)));
    return traces;
  };
};
