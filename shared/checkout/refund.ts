import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { newerExampleId } from '../kit/id.ts';
import { alsoAbout, log } from '../kit/log.ts';
import { iso } from '../kit/time.ts';
import type { CheckoutAddresses } from './addresses.ts';
import { type Claim, isOver, unclearMs } from './claim.ts';
import type { FindAdapter, GatewayAdapter } from './gateway-adapter.ts';
import type { GatewayAnswer, RefundOrder } from './gateway-answer.ts';
import { orderOf } from './order.ts';
import { orderNumberOf } from './order-number.ts';
import { type FoundPayment, type Payment, type Refund, refundStatuses } from './payment.ts';
import { replayMarkOf } from './replay-mark.ts';

/** A refund with the payment that it takes from. */
export interface FoundRefund extends FoundPayment {
  readonly refund: Refund;
  /** The gateway's names of the payment's other refunds. */
  readonly otherReferences: readonly string[];
}

/** What of a refund changes when its gateway has answered. */
export type RefundChange = Pick<Refund, 'status' | 'reference' | 'failureReason'>;

const exampleRefund = {
  id: '019a9c20-14c6-7d02-8a3f-5e6f7a8b9c0d',
  paymentId: newerExampleId,
  amountMinor: 250_000,
  currency: 'BDT',
  status: 'PENDING',
  reason: 'One of two items was returned.',
  isAutomatic: false,
  failureReason: null,
  createdAt: '2026-11-20T14:30:00.000Z',
};

/** A refund as an operator sees it. */
export const refundRecord = z
  .object({
    id: z.string(),
    paymentId: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    status: z.enum(refundStatuses),
    reason: z.string().nullable(),
    isAutomatic: z.boolean().describe('True: a refund of surplus money. No webhook is sent for it.'),
    failureReason: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({
    id: 'Refund',
    description: 'A refund of a payment, in full or in part.',
    examples: [exampleRefund],
  });

/** A refund as who may have to settle it sees it. */
export const listedRefund = refundRecord
  .extend({
    orderNumber: z
      .string()
      .optional()
      .describe(
        'The name by which the gateway knows it; there only while the gateway leaves it open and a person can settle it.',
      ),
  })
  .meta({ id: 'ListedRefund', description: 'A refund of a payment, in full or in part.', examples: [exampleRefund] });

export const refundRecordOf = ({ reason, failureReason, createdMs, ...refund }: Refund) => ({
  ...refund,
  reason: reason ?? null,
  failureReason: failureReason ?? null,
  createdAt: iso(createdMs),
});

/** What of a payment is to be refunded. */
export const refundWish = z.object({
  amountMinor: z
    .int()
    .min(1)
    .optional()
    .describe('In minor units. If omitted, everything that has not been refunded yet.'),
  reason: z.string().trim().min(1).max(255).optional(),
});

interface RefundRequest extends z.output<typeof refundWish> {
  readonly id: string;
  readonly nowMs: number;
  readonly idempotencyKey: string | undefined;
}

interface RequestRefundNeeds {
  readonly refunds: {
    add(
      found: FoundPayment,
      refund: Refund,
      idempotencyKey?: string,
    ): Promise<{ readonly refund: Refund; readonly isReplay: boolean } | { readonly leftMinor: number }>;
  };
}

/**
 * Refunds a payment, by default all that is left of it. Inserting the refund starts the worker.
 * @throws Fault `code` when that is more than is left
 */
export const requestRefund = async (
  { refunds }: RequestRefundNeeds,
  found: FoundPayment,
  { id, amountMinor, reason, nowMs, idempotencyKey }: RefundRequest,
  code: 'payment_not_refundable' | 'conflict',
) => {
  alsoAbout({ sessionId: found.session.id, paymentId: found.payment.id });
  const ask = async (leftMinor: number) => {
    // Nothing left: one unit is more than there is.
    const refund = newRefund(found.payment, { id, amountMinor: amountMinor ?? (leftMinor || 1), reason, nowMs });
    const added = await refunds.add(found, refund, idempotencyKey);
    if ('refund' in added) {
      alsoAbout({ refundId: added.refund.id });
      return refundAnswerOf(added.refund, added.isReplay);
    }
    // Another refund was quicker: of the rest there is less now, or after a failed one more.
    const isAnotherRest = amountMinor === undefined && added.leftMinor > 0 && added.leftMinor !== leftMinor;
    if (isAnotherRest) return ask(added.leftMinor);
    throw new Fault(code, whyNot(found.payment, added.leftMinor));
  };
  return ask(found.payment.refundableMinor);
};

const whyNot = ({ status }: Payment, leftMinor: number): string => {
  if (status !== 'SUCCEEDED') return 'Only a payment that has succeeded can be refunded.';
  return leftMinor === 0
    ? 'Nothing of this payment is left to refund.'
    : `At most ${leftMinor} (minor units) of this payment can be refunded.`;
};

export const refundAnswerOf = (refund: Refund, isReplay: boolean) => ({
  data: refundRecordOf(refund),
  headers: replayMarkOf(isReplay),
});

/** A requested refund. */
export const newRefund = (
  payment: Payment,
  { id, amountMinor, reason, nowMs }: { id: string; amountMinor: number; reason: string | undefined; nowMs: number },
): Refund => ({
  id,
  paymentId: payment.id,
  sessionId: payment.sessionId,
  accountId: payment.accountId,
  amountMinor,
  currency: payment.currency,
  status: 'PENDING',
  reason,
  isAutomatic: false,
  claim: undefined,
  reference: undefined,
  failureReason: undefined,
  createdMs: nowMs,
});

/** Money counts as gone back only where the gateway speaks of the very amount, or of none. */
const isExact = ({ amountMinor, currency }: Refund, answer: GatewayAnswer): boolean =>
  (answer.amountMinor ?? amountMinor) === amountMinor && (answer.currency ?? currency) === currency;

/** A refund after a gateway's answer; undefined when nothing changes. SUCCEEDED and FAILED are final. */
export const refundChangeOf = (
  { refund, otherReferences }: Pick<FoundRefund, 'refund' | 'otherReferences'>,
  answer: GatewayAnswer,
): RefundChange | undefined => {
  if (refund.status !== 'PENDING') return undefined;
  const reference = refund.reference ?? answer.reference;
  // A gateway that has no name of ours for a refund may speak of another one of the same amount.
  if (reference !== undefined && otherReferences.includes(reference)) return undefined;
  switch (answer.state) {
    case 'succeeded':
      return isExact(refund, answer) ? { status: 'SUCCEEDED', reference, failureReason: undefined } : undefined;
    case 'failed':
    case 'cancelled':
    case 'expired':
      return { status: 'FAILED', reference, failureReason: answer.reason ?? answer.code ?? answer.state };
    default:
      return reference === refund.reference ? undefined : { status: 'PENDING', reference, failureReason: undefined };
  }
};

/** The data of a refund for its gateway. */
export const refundOrderOf = (
  { id, amountMinor, reason, createdMs, reference }: Refund,
  otherReferences: readonly string[],
): RefundOrder => ({
  refundId: id,
  amountMinor,
  reason,
  createdMs,
  reference,
  otherReferences,
});

export interface RefundNeeds {
  readonly refunds: {
    find(sessionId: string, refundId: string): Promise<FoundRefund | undefined>;
    claim(refund: Refund, nowMs: number): Promise<Claim | undefined>;
    release(refund: Refund, claim: Claim): Promise<boolean>;
    saveAnswer(found: FoundRefund, change: RefundChange): Promise<boolean>;
  };
  readonly findAdapter: FindAdapter<'refund' | 'queryRefund'>;
  readonly addresses: CheckoutAddresses;
}

/** `again`: the gateway knows of no such refund, so it is to be asked for it again, at once. */
export type RefundOutcome = 'over' | 'open' | 'again';

/**
 * Works on a refund: asks the gateway for it under a claim, and from then on what has become of it. Where it knows of no such refund when the
 * claim has ended, it is asked for it again: the holder of the claim died, or its call was lost. One run makes one call.
 */
export const refundWorker = ({ refunds, findAdapter, addresses }: RefundNeeds) => {
  /** What the gateway says, and the refund with the claim that this run has then. */
  const ask = async (
    adapter: Pick<GatewayAdapter, 'refund' | 'queryRefund'>,
    found: FoundRefund,
    nowMs: number,
  ): Promise<Asked> => {
    const [order, refund] = [orderOf(found, addresses), refundOrderOf(found.refund, found.otherReferences)];
    const claim = found.refund.claim ? undefined : await refunds.claim(found.refund, nowMs);
    if (!claim) return { found, answer: await adapter.queryRefund(order, refund), isFree: hasDeadClaim(found, nowMs) };
    const held = { ...found, refund: { ...found.refund, claim } };
    return { found: held, answer: await adapter.refund(order, refund), isFree: true };
  };

  return async (job: { readonly session: string; readonly refund: string }, nowMs: number): Promise<RefundOutcome> => {
    const before = await refunds.find(job.session, job.refund);
    if (before?.refund.status !== 'PENDING') return 'over';
    const adapter = await findAdapter(before.account, before.payment);
    const { found, answer, isFree } = adapter ? await ask(adapter, before, nowMs) : unasked(before);
    const { claim } = found.refund;
    if (answer.mayRetry && isFree && claim && (await refunds.release(found.refund, claim)))
      return before.refund.claim ? 'again' : 'open';
    const change = refundChangeOf(found, answer);
    report(found, answer, change, nowMs);
    const isSaved = change !== undefined && (await refunds.saveAnswer(found, change));
    return isSaved && change.status !== 'PENDING' ? 'over' : 'open';
  };
};

interface Asked {
  readonly found: FoundRefund;
  readonly answer: GatewayAnswer;
  /** The claim is this run's own, or its holder is dead. */
  readonly isFree: boolean;
}

const unasked = (found: FoundRefund): Asked => ({ found, answer: { state: 'unknown' }, isFree: false });

/** A refund with the gateway's id was accepted there, and is never requested again. */
const hasDeadClaim = ({ refund: { claim, reference } }: FoundRefund, nowMs: number): boolean =>
  claim !== undefined && reference === undefined && isOver(claim, nowMs);

/** Refunds that an operator must review: these log lines raise an alarm. */
const report = (
  { refund }: FoundRefund,
  { state }: GatewayAnswer,
  change: RefundChange | undefined,
  nowMs: number,
): void => {
  const ids = { accountId: refund.accountId, paymentId: refund.paymentId, refundId: refund.id };
  const fields = { ...ids, orderNumber: orderNumberOf(refund.id), needsPerson: true };
  if (state === 'succeeded' && !change) log('error', 'another refund than was asked for was reported', fields);
  if (change?.status === 'FAILED' && refund.isAutomatic) log('error', 'surplus money could not be refunded', fields);
  const isUnclear = state === 'unknown' || (state === 'pending' && !refund.reference && !change?.reference);
  if (isUnclear && nowMs - refund.createdMs >= unclearMs) log('error', 'a refund stays unclear', fields);
};
