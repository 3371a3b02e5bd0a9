import type { AccountRef } from '../kit/account-ref.ts';
import { newId } from '../kit/id.ts';
import { log } from '../kit/log.ts';
import type { CheckoutAddresses } from './addresses.ts';
import type { GatewayAnswer, PaymentOrder } from './gateway-answer.ts';
import { orderOf } from './order.ts';
import type { FoundPayment, Payment } from './payment.ts';
import { settlementOf } from './settle.ts';
import { isInTime, type Settlement } from './settlement.ts';

interface Gateway {
  query(order: PaymentOrder): Promise<GatewayAnswer>;
}

export interface ResolveNeeds {
  readonly payments: {
    find(sessionId: string, paymentId: string): Promise<FoundPayment | undefined>;
    saveSettlement(found: FoundPayment, settlement: Settlement): Promise<boolean>;
  };
  readonly accounts: {
    find(id: string): Promise<{ readonly checkout: { readonly acceptsLatePayments: boolean } } | undefined>;
  };
  /** The gateway of a payment; undefined when the account has no method for it any more. */
  readonly gateways: (
    account: AccountRef,
    payment: Pick<Payment, 'gatewayCode' | 'acceptanceMethodId'>,
  ) => Promise<Gateway | undefined>;
  readonly addresses: CheckoutAddresses;
}

/**
 * The one way to settle: whatever has made somebody curious (the payer's return, a notification, a poll, the time), the gateway is asked, and
 * what it says changes payment and session together, or nothing at all. Gives the payment as it is then.
 */
export const paymentResolver = ({ payments, accounts, gateways, addresses }: ResolveNeeds) => {
  const acceptsLate = async (accountId: string): Promise<boolean> =>
    (await accounts.find(accountId))?.checkout.acceptsLatePayments ?? false;

  const ask = async (found: FoundPayment): Promise<GatewayAnswer> => {
    const gateway = await gateways(found.account, found.payment);
    return gateway ? gateway.query(orderOf(found, addresses)) : { state: 'unknown' };
  };

  /**
   * Makes of an answer what it means. Another run may be faster: then it is judged again, by what there is now. An answer from before that run
   * began to confirm the payment then counts only where it says that money has arrived.
   */
  const settle = async (found: FoundPayment, answer: GatewayAnswer, nowMs: number): Promise<FoundPayment> => {
    const { account, session, payment } = found;
    const isLateMoney = answer.state === 'succeeded' && !isInTime({ session, payment, nowMs });
    const settlement = settlementOf({
      session,
      payment,
      answer,
      acceptsLatePayments: isLateMoney && (await acceptsLate(account.id)),
      refundId: newId(nowMs),
      nowMs,
    });
    if (!settlement) return found;
    if (await payments.saveSettlement(found, settlement)) {
      report(found, settlement);
      return settled(found, settlement);
    }
    const now = await payments.find(session.id, payment.id);
    if (!now) return found;
    const isOvertaken = now.payment.confirmationClaim?.token !== payment.confirmationClaim?.token;
    return isOvertaken && answer.state !== 'succeeded' ? now : settle(now, answer, nowMs);
  };

  return {
    ask,
    settle,

    resolve: async (found: FoundPayment, nowMs: number): Promise<FoundPayment> =>
      settle(found, await ask(found), nowMs),
  };
};

export type PaymentResolver = ReturnType<typeof paymentResolver>;

const settled = ({ account, session, payment }: FoundPayment, change: Settlement): FoundPayment => ({
  account,
  session: { ...session, ...change.session },
  payment: { ...payment, ...change.payment },
});

/** What an operator should know. An alarm rings for lines that need a person. */
const report = ({ session, payment }: FoundPayment, { payment: { mark } }: Settlement): void => {
  if (mark === payment.mark) return;
  const fields = { accountId: payment.accountId, sessionId: session.id, paymentId: payment.id };
  if (mark === 'held') log('error', 'payment held for review', { ...fields, needsPerson: true });
  if (mark === 'surplus') log('warn', 'payment was surplus and is refunded', fields);
};
