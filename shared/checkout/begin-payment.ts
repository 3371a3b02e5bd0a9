import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import { alsoAbout } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';
import { type AcceptanceMethod, type EligibleMethod, eligibleMethods, offeredBy } from './methods.ts';
import type { FoundPayment, Payment } from './payment.ts';
import type { PaymentResolver } from './resolve.ts';
import { makeReturnToken } from './return-token.ts';
import type { CheckoutSession, FoundSession } from './session.ts';
import { acceptsPayments, notOpen } from './session-status.ts';
import { callsBack, isSimulated } from './simulation.ts';

export interface BeginPaymentOfNeeds {
  readonly payments: {
    /** Returns the session as it is now if it has changed since it was read. */
    add(found: FoundSession, payment: Payment): Promise<'added' | CheckoutSession>;
  };
  readonly methods: { list(account: AccountRef): Promise<readonly AcceptanceMethod[]> };
  readonly accounts: { find(id: string): Promise<{ readonly status: string } | undefined> };
  readonly resolver: Pick<PaymentResolver, 'resolve'>;
  /** Asked when a payment is stored: its session may have ended while its methods were read. */
  readonly clock: Clock;
}

export interface PaymentWish {
  readonly acceptanceMethodId: string;
  /** The id that the payment will have. */
  readonly paymentId: string;
}

/**
 * Begins a payment of a session: one at a time, ten at most. The simulator answers within this call; a real gateway is called by a worker, which
 * the stored payment starts, because the payer would wait for it here.
 * @throws Fault `session_not_open`, `payment_in_progress` or `method_unavailable`
 */
export const beginPaymentOf =
  ({ payments, methods, accounts, resolver, clock }: BeginPaymentOfNeeds) =>
  async (found: FoundSession, wish: PaymentWish): Promise<FoundPayment> => {
    const { account, session } = found;
    alsoAbout({ sessionId: session.id });
    const askedMs = clock();
    if (!acceptsPayments(session, askedMs)) throw notOpen(session, askedMs);
    if (session.livePaymentId !== undefined) throw anotherInProgress();
    const [merchant, kept] = await Promise.all([accounts.find(account.id), methods.list(account)]);
    const method = eligibleMethods(offeredBy(merchant, kept), session).find(
      ({ acceptanceMethodId }) => acceptanceMethodId === wish.acceptanceMethodId,
    );
    if (!method)
      throw new Fault(
        'method_unavailable',
        'acceptanceMethodId: must be one of the session’s eligibleMethods that is available now',
      );
    const nowMs = clock();
    const payment = newPayment(session, method, { ...wish, nowMs });
    alsoAbout({ paymentId: payment.id });
    const added = await payments.add(found, payment);
    if (added !== 'added') throw refusalOf(session, added, nowMs);
    const begun: FoundPayment = {
      account,
      session: { ...session, livePaymentId: payment.id, paymentStatus: 'PENDING' },
      payment,
    };
    return isSimulated(payment) && callsBack(payment) ? resolver.resolve(begun, nowMs) : begun;
  };

const newPayment = (
  session: CheckoutSession,
  { acceptanceMethodId, gatewayCode, displayLabel }: EligibleMethod,
  { paymentId, nowMs }: PaymentWish & { readonly nowMs: number },
): Payment => ({
  id: paymentId,
  sessionId: session.id,
  accountId: session.accountId,
  acceptanceMethodId,
  gatewayCode,
  displayLabel,
  livemode: session.livemode,
  status: 'PENDING',
  mark: undefined,
  amountMinor: session.amountMinor,
  currency: session.currency,
  refundableMinor: 0,
  returnToken: makeReturnToken(paymentId),
  redirectUrl: undefined,
  reference: undefined,
  transactionId: undefined,
  confirmationClaim: undefined,
  returnedMs: undefined,
  lostConfirmations: 0,
  chaos: session.chaos,
  polledMs: undefined,
  reportedPaidMs: undefined,
  reportedPaid: new Set(),
  lastAnswer: undefined,
  review: undefined,
  createdMs: nowMs,
});

/** Why a payment was not added: another one has begun since the session was read, or the session accepts none. */
export const refusalOf = (before: CheckoutSession, current: CheckoutSession, nowMs: number): Fault =>
  current.status === 'OPEN' && hasBegunSince(current, before.paymentCount)
    ? anotherInProgress()
    : notOpen(current, nowMs);

const anotherInProgress = (): Fault =>
  new Fault('payment_in_progress', 'Another payment of this session is in progress, perhaps in another tab.');

export const hasBegunSince = ({ livePaymentId, paymentCount }: CheckoutSession, countBefore: number): boolean =>
  livePaymentId !== undefined || paymentCount > countBefore;
