import { log } from '../kit/log.ts';
import type { CheckoutAddresses } from './addresses.ts';
import { type Claim, isLongMade, isOver, unclearMs } from './claim.ts';
import type { FindAdapter, GatewayAdapter } from './gateway-adapter.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { orderOf, refundOrderOf } from './order.ts';
import { orderNumberOf } from './order-number.ts';
import { type FoundRefund, type Refund, type RefundChange, refundChangeOf } from './refund.ts';

export interface RefundNeeds {
  readonly refunds: {
    find(sessionId: string, refundId: string): Promise<FoundRefund | undefined>;
    claim(refund: Refund, nowMs: number): Promise<Claim | undefined>;
    release(refund: Refund, claim: Claim, how?: { readonly wasRequested: boolean }): Promise<boolean>;
    saveAnswer(found: FoundRefund, change: RefundChange): Promise<boolean>;
  };
  readonly findAdapter: FindAdapter<'refund' | 'queryRefund'>;
  readonly addresses: CheckoutAddresses;
}

/** `again`: the gateway knows of no such refund, so it is to be asked for it again, at once. */
export type RefundOutcome = 'over' | 'open' | 'again';

/**
 * Works on a refund: asks the gateway for it under a claim, and from then on what has become of it. Where it knows of no such refund when the
 * claim has ended, or 15 minutes after the request where its list may be late, it is asked for it again: the holder of the claim died, or its call was
 * lost. One run makes one call.
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

  /** None while the payment is read as it was before the transaction of both: without what its gateway calls the money. */
  const adapterFor = async ({ account, payment }: FoundRefund) =>
    payment.status === 'SUCCEEDED' ? findAdapter(account, payment) : undefined;

  return async (job: { readonly session: string; readonly refund: string }, nowMs: number): Promise<RefundOutcome> => {
    const before = await refunds.find(job.session, job.refund);
    if (before?.refund.status !== 'PENDING') return 'over';
    const adapter = await adapterFor(before);
    const { found, answer, isFree } = adapter ? await ask(adapter, before, nowMs) : unasked(before);
    const { claim } = found.refund;
    const wasRequested = before.refund.claim !== undefined;
    const mayAskAgain = isFree && claim !== undefined && isNotMade(answer, claim, nowMs);
    if (mayAskAgain && (await refunds.release(found.refund, claim, { wasRequested }))) {
      if (wasRequested) return 'again';
      report(found, answer, undefined, nowMs);
      return 'open';
    }
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

/** Whether the request of the claim has certainly done nothing. */
const isNotMade = ({ mayRetry, isUnlisted }: GatewayAnswer, claim: Claim, nowMs: number): boolean =>
  mayRetry === true || (isUnlisted === true && isLongMade(claim, nowMs));

/** Refunds that a person must review: these log lines raise an alarm. */
const report = (
  { refund }: FoundRefund,
  { state, code }: GatewayAnswer,
  change: RefundChange | undefined,
  nowMs: number,
): void => {
  const ids = { accountId: refund.accountId, paymentId: refund.paymentId, refundId: refund.id };
  const fields = { ...ids, orderNumber: orderNumberOf(refund.id), needsPerson: true };
  if (state === 'succeeded' && !change) log('error', 'another refund than was asked for was reported', fields);
  if (change?.status === 'FAILED' && refund.isAutomatic) log('error', 'surplus money could not be refunded', fields);
  const isUnclear = state === 'unknown' || (state === 'pending' && !refund.reference && !change?.reference);
  if (isUnclear && nowMs - refund.createdMs >= unclearMs) log('error', 'a refund stays unclear', { ...fields, code });
};
