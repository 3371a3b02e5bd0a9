import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import { type AcceptanceMethod, eligibleMethods } from './methods.ts';
import type { FoundPayment, Payment } from './payment.ts';
import type { PaymentResolver } from './resolve.ts';
import { makeReturnToken } from './return-token.ts';
import type { FoundSession } from './session.ts';
import { statusAt, takesPayments } from './session-status.ts';
import { callsBack, isSimulated } from './simulation.ts';

export interface BeginNeeds {
  readonly checkouts: {
    begin(found: FoundSession, payment: Payment): Promise<'begun' | 'in_progress' | 'not_open'>;
  };
  readonly methods: { list(account: AccountRef): Promise<readonly AcceptanceMethod[]> };
  readonly resolver: Pick<PaymentResolver, 'resolve'>;
}

interface Wish {
  readonly acceptanceMethodId: string;
  /** What the payment will go by. */
  readonly paymentId: string;
  readonly nowMs: number;
}

const notOpen = () =>
  new Fault(
    'session_not_open',
    'This session is completed, is expired, or has reached its maximum number of payments.',
  );

/**
 * Begins a payment of a session: one at a time, ten at most. The simulator settles it at once; a real gateway is not called here, because the
 * payer would wait for it.
 * @throws Fault `session_not_open`, `payment_in_progress` or `method_unavailable`
 */
export const beginPayment =
  ({ checkouts, methods, resolver }: BeginNeeds) =>
  async (found: FoundSession, { acceptanceMethodId, paymentId, nowMs }: Wish): Promise<FoundPayment> => {
    const { account, session } = found;
    if (statusAt(session, nowMs).status !== 'OPEN') throw notOpen();
    const method = eligibleMethods(await methods.list(account), session).find(
      (each) => each.acceptanceMethodId === acceptanceMethodId,
    );
    if (!method)
      throw new Fault(
        'method_unavailable',
        'acceptanceMethodId: must be one of the session’s eligibleMethods that is available now',
      );
    const payment = newPayment(found, { paymentId, nowMs }, method);
    const outcome = takesPayments(session, nowMs) ? await checkouts.begin(found, payment) : 'not_open';
    if (outcome === 'not_open') throw notOpen();
    if (outcome === 'in_progress')
      throw new Fault('payment_in_progress', 'Another payment of this session is in progress, perhaps in another tab.');
    const begun = {
      account,
      session: { ...session, livePaymentId: payment.id, paymentStatus: 'PENDING' as const },
      payment,
    };
    return isSimulated(payment) && callsBack(payment) ? resolver.resolve(begun, nowMs) : begun;
  };

const newPayment = (
  { account, session }: FoundSession,
  { paymentId, nowMs }: Pick<Wish, 'paymentId' | 'nowMs'>,
  method: { readonly acceptanceMethodId: string; readonly gatewayCode: string },
): Payment => ({
  id: paymentId,
  sessionId: session.id,
  accountId: account.id,
  acceptanceMethodId: method.acceptanceMethodId,
  gatewayCode: method.gatewayCode,
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
  confirmation: undefined,
  chaos: session.chaos,
  polledMs: undefined,
  lastAnswer: undefined,
  review: undefined,
  createdMs: nowMs,
});
