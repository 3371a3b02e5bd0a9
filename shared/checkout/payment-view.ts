import * as z from 'zod';
import { exampleId, newerExampleId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';
import { type KnownMethods, labelOf } from './methods.ts';
import type { FoundPayment, Payment } from './payment.ts';
import { paymentFailures } from './payment-failures.ts';
import { paymentStatuses } from './session.ts';
import { endsMs, longestHoldMs, statusAt } from './session-status.ts';
import { amountToReturn } from './settle-review.ts';

const isoTime = z.string().meta({ format: 'date-time' });

/** The merchant's own data, verbatim. */
export const metadataView = z
  .instanceof(JsonText)
  .meta({ type: 'object', additionalProperties: { type: 'string' }, examples: [{ orderId: '1042' }] });

/** A payment that succeeded. */
export const examplePayment = {
  id: newerExampleId,
  checkoutSessionId: exampleId,
  status: 'SUCCEEDED',
  amountMinor: 600_000,
  refundedMinor: 0,
  currency: 'BDT',
  gatewayCode: 'sim_card',
  displayLabel: 'Card',
  gatewayTransactionId: 'sim_7f3b8c550d1f',
  failureCode: null,
  failureReason: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  settledAt: '2026-11-20T12:00:04.210Z',
  metadata: { orderId: '1042' },
  invoiceId: null,
};

/** A payment as its merchant sees it. */
export const paymentView = z
  .object({
    id: z.string(),
    checkoutSessionId: z.string(),
    status: z.enum(paymentStatuses),
    amountMinor: z.int(),
    refundedMinor: z
      .int()
      .describe(
        'What has been refunded or is being refunded. A refund that fails no longer counts. Refunded by a manual review: what the gateway had, also where that is more than `amountMinor`.',
      ),
    currency: z.string(),
    gatewayCode: z.string(),
    displayLabel: z.string().describe('The label of the payment method that the payer saw.'),
    gatewayTransactionId: z.string().nullable().describe('The gateway’s id of the transaction.'),
    failureCode: z
      .string()
      .nullable()
      .describe(
        'The gateway’s code, or one of ours: `cancelled` when the payer or you ended it, `gateway_unavailable` when the gateway could not be reached, `rejected` by a manual review, `surplus` on a payment that succeeded and does not complete its session: it is refunded, automatically or by a manual review.',
      ),
    failureReason: z.string().nullable(),
    createdAt: isoTime,
    settledAt: isoTime
      .nullable()
      .describe(
        'When it ended or, where the gateway has reported something else since, when that came or was reviewed; `null` while it is `PENDING`.',
      ),
    metadata: metadataView.describe('The session’s, verbatim.'),
    invoiceId: z.string().nullable().describe('The session’s.'),
  })
  .meta({ id: 'CheckoutPayment', description: 'One attempt to pay a session.', examples: [examplePayment] });

export type PaymentView = z.input<typeof paymentView>;

/** A payment that its session no longer waits for has expired, whether that is stored or not. A held one waits for its review. */
export const paymentStatusAt = ({ session, payment }: FoundPayment, nowMs: number): Payment['status'] => {
  const isWaiting = payment.status === 'PENDING' && payment.mark !== 'held';
  return isWaiting && statusAt(session, nowMs).status === 'EXPIRED' ? 'EXPIRED' : payment.status;
};

/** When a payment ended; of a pending one, when it will have expired. One that expired reads so before that is stored, at the same time. */
export const settledMs = ({ session, payment }: Pick<FoundPayment, 'session' | 'payment'>): number => {
  const times = [payment.lastAnswer?.at, payment.review?.at].flatMap((at) =>
    at === undefined ? [] : [Date.parse(at)],
  );
  if (payment.status === 'PENDING') return endsMs(session);
  const lastMs = Math.max(payment.createdMs, ...times);
  const hasExpired = payment.status === 'EXPIRED' && payment.mark !== 'held' && payment.review === undefined;
  return hasExpired ? Math.min(lastMs, session.expiresMs + longestHoldMs) : lastMs;
};

interface Failed {
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

const failureOf = ({ mark, lastAnswer, review }: Payment, status: Payment['status']): Failed => {
  if (mark === 'surplus') return paymentFailures[review?.decision === 'refund' ? 'reviewed' : 'surplus'];
  // The gateway's last answer is the money that it reports since, and no failure.
  if (mark === 'held' && status !== 'PENDING')
    return { reason: 'The gateway has reported money since, which is held for review.' };
  if (status !== 'FAILED') return {};
  if (mark === 'cancelled') return paymentFailures.cancelled;
  return review?.decision === 'reject' ? paymentFailures.rejected : (lastAnswer ?? {});
};

/** What came of a payment: what was asked, unless a review sent other money back. */
const takenMinor = (payment: Payment): number =>
  payment.review?.decision === 'refund' ? amountToReturn(payment) : payment.amountMinor;

export interface ViewParts {
  readonly methods: KnownMethods;
  readonly nowMs: number;
}

export const paymentViewOf = (found: FoundPayment, { methods, nowMs }: ViewParts): PaymentView => {
  const { session, payment } = found;
  const status = paymentStatusAt(found, nowMs);
  const failure = failureOf(payment, status);
  return {
    id: payment.id,
    checkoutSessionId: session.id,
    status,
    amountMinor: payment.amountMinor,
    refundedMinor: status === 'SUCCEEDED' ? takenMinor(payment) - payment.refundableMinor : 0,
    currency: payment.currency,
    gatewayCode: payment.gatewayCode,
    displayLabel: payment.displayLabel ?? labelOf([...methods.current, ...methods.retired], payment),
    gatewayTransactionId: payment.transactionId ?? null,
    failureCode: failure.code ?? null,
    failureReason: failure.reason ?? null,
    createdAt: iso(payment.createdMs),
    settledAt: status === 'PENDING' ? null : iso(settledMs(found)),
    metadata: session.metadata,
    invoiceId: session.invoiceId ?? null,
  };
};
