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
  readonly checkouts: {
    paymentIn(sessionId: string, paymentId: string): Promise<FoundPayment | undefined>;
    settle(found: FoundPayment, settlement: Settlement): Promise<boolean>;
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
export const paymentResolver = ({ checkouts, accounts, gateways, addresses }: ResolveNeeds) => {
  const acceptsLate = async (accountId: string): Promise<boolean> =>
    (await accounts.find(accountId))?.checkout.acceptsLatePayments ?? false;

  /** Makes of an answer what it means. Somebody may be faster: then it is judged again, by what there is now. */
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
    if (await checkouts.settle(found, settlement)) {
      report(found, settlement);
      return settled(found, settlement);
    }
    const now = await checkouts.paymentIn(session.id, payment.id);
    return now ? settle(now, answer, nowMs) : found;
  };

  return {
    settle,

    resolve: async (found: FoundPayment, nowMs: number): Promise<FoundPayment> => {
      const gateway = await gateways(found.account, found.payment);
      const answer = await gateway?.query(orderOf(found, addresses));
      return settle(found, answer ?? { state: 'unknown' }, nowMs);
    },
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
