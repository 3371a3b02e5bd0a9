import { newId } from '../kit/id.ts';
import { log } from '../kit/log.ts';
import { metered } from '../kit/metrics.ts';
import type { Clock } from '../kit/time.ts';
import type { CheckoutAddresses } from './addresses.ts';
import { mayBeCharged } from './checks.ts';
import type { FindAdapter } from './gateway-adapter.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { orderOf } from './order.ts';
import { orderNumberOf } from './order-number.ts';
import { type FoundPayment, idsOf } from './payment.ts';
import { mayHaveSucceeded, settlementOf } from './settle-payment.ts';
import { isAwaited, type Settlement } from './settlement.ts';
import { isSimulated } from './simulation.ts';

export interface ResolveNeeds {
  readonly payments: {
    find(sessionId: string, paymentId: string): Promise<FoundPayment | undefined>;
    saveSettlement(found: FoundPayment, settlement: Settlement): Promise<boolean>;
  };
  readonly accounts: {
    find(id: string): Promise<{ readonly checkout: { readonly acceptsLatePayments: boolean } } | undefined>;
  };
  readonly findAdapter: FindAdapter<'query'>;
  readonly addresses: CheckoutAddresses;
}

/**
 * The only way that a gateway's answer settles a payment. Whatever triggers it (the payer's return, a notification, a poll, a check, the
 * end of a session), the gateway is queried, and its answer changes payment and session together, or nothing at all. Returns the payment as it is then.
 */
export const paymentResolver = ({ payments, accounts, findAdapter, addresses }: ResolveNeeds) => {
  const acceptsLate = async (accountId: string): Promise<boolean> =>
    (await accounts.find(accountId))?.checkout.acceptsLatePayments ?? false;

  const query = async (found: FoundPayment, paidBesides?: string): Promise<GatewayAnswer> => {
    const adapter = await findAdapter(found.account, found.payment);
    return adapter ? adapter.query({ ...orderOf(found, addresses), paidBesides }) : { state: 'unknown' };
  };

  /**
   * Makes of an answer what it means. Another run may be faster: then it is judged again, by what there is now. An answer from before that run
   * began to confirm the payment then counts only where it says that money has arrived.
   */
  const applyAnswer = async (found: FoundPayment, answer: GatewayAnswer, nowMs: number): Promise<FoundPayment> => {
    const { account, session, payment } = found;
    const isLateMoney = answer.state === 'succeeded' && !isAwaited({ session, payment, nowMs });
    const settlement = settlementOf({
      session,
      payment,
      answer,
      acceptsLatePayments: isLateMoney && (await acceptsLate(account.id)),
      refundId: newId(nowMs),
      nowMs,
    });
    if (!settlement) return found;
    // Before it is stored, perhaps more than once: a payment that is held is not asked about again, so no later run would report it.
    report(found, settlement);
    if (await payments.saveSettlement(found, settlement)) return settled(found, settlement);
    const current = await payments.find(session.id, payment.id);
    if (!current) return found;
    const isOvertaken = current.payment.confirmationClaim?.token !== payment.confirmationClaim?.token;
    return isOvertaken && answer.state !== 'succeeded' ? current : applyAnswer(current, answer, nowMs);
  };

  return {
    query,
    applyAnswer,

    resolve: async (found: FoundPayment, nowMs: number): Promise<FoundPayment> =>
      applyAnswer(found, await query(found), nowMs),

    /**
     * Cancels a payment whose session its merchant ends. If the payer may have been charged, the gateway is asked first, and an outcome that it
     * reports counts. A payment that may have succeeded stays as it is: its confirmation was tried, the gateway has just reported it paid, has
     * not decided, or gives no usable answer. The clock is read when the gateway has answered: the session may have ended meanwhile.
     */
    cancel: async (found: FoundPayment, clock: Clock): Promise<FoundPayment> => {
      const { payment } = found;
      if (payment.status !== 'PENDING' || payment.mark === 'held') return found;
      const isAsked = mayBeCharged(payment) || isSimulated(payment);
      const answer: GatewayAnswer = isAsked ? await query(found) : { state: 'pending' };
      const nowMs = clock();
      const isUnpaid = answer.state === 'pending' && !answer.isUndecided && !mayHaveSucceeded(payment, nowMs);
      return applyAnswer(found, isUnpaid ? { state: 'cancelled' } : answer, nowMs);
    },
  };
};

export type PaymentResolver = ReturnType<typeof paymentResolver>;

const settled = ({ account, session, payment }: FoundPayment, change: Settlement): FoundPayment => ({
  account,
  session: { ...session, ...change.session },
  payment: { ...payment, ...change.payment },
});

/** What a person should know. An alarm rings for lines that need a person. */
const report = ({ payment }: FoundPayment, { payment: { mark } }: Settlement): void => {
  if (mark === payment.mark) return;
  const fields = { ...idsOf(payment), orderNumber: orderNumberOf(payment.id) };
  if (mark === 'held')
    log('error', 'payment held for review', { ...fields, needsPerson: true, ...metered({ payments: 1 }, mark) });
  if (mark === 'surplus') log('warn', 'payment was surplus and is refunded', fields);
};
