import type { GatewayAnswer } from '../shared/checkout/gateway-answer.ts';
import type { FoundPayment, Payment } from '../shared/checkout/payment.ts';
import type { CheckoutSession } from '../shared/checkout/session.ts';
import { settlementOf } from '../shared/checkout/settle-payment.ts';
import { newId } from '../shared/kit/id.ts';
import { JsonText } from '../shared/kit/json-text.ts';
import type { TestAccount, World } from './world.ts';

/** A session that is open for an hour, of 6,000.00 taka by default. */
export const openSession = (accountId: string, wishes: Partial<CheckoutSession> = {}): CheckoutSession => ({
  id: newId(Date.now()),
  accountId,
  status: 'OPEN',
  amountMinor: 600_000,
  currency: 'BDT',
  livemode: false,
  createdWith: 'secret',
  description: 'Two books',
  customer: { name: 'Ada', email: 'ada@example.com' },
  successUrl: undefined,
  cancelUrl: undefined,
  metadata: JsonText.of({ orderId: '1042' }),
  invoiceId: undefined,
  lineItems: [],
  locale: undefined,
  expiresMs: Date.now() + 3_600_000,
  livePaymentId: undefined,
  paymentStatus: 'PENDING',
  paymentCount: 0,
  chaos: undefined,
  ...wishes,
});

/** The texts of a session with the most metadata and line items that the API takes. */
export const fullSize = {
  metadata: JsonText.of(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key${n}`, 'v'.repeat(500)]))),
  lineItems: Array.from({ length: 100 }, (_, n) => ({
    name: `Book ${n} `.padEnd(255, 'x'),
    quantity: 1,
    unitAmountMinor: 6_000,
    imageUrl: `https://shop.example/${'i'.repeat(600)}`,
  })),
};

/** A payment that has just begun. */
export const pendingPayment = (session: CheckoutSession, gatewayCode = 'sim_card'): Payment => ({
  id: newId(Date.now()),
  sessionId: session.id,
  accountId: session.accountId,
  acceptanceMethodId: newId(Date.now()),
  gatewayCode,
  displayLabel: undefined,
  livemode: session.livemode,
  status: 'PENDING',
  mark: undefined,
  amountMinor: session.amountMinor,
  currency: session.currency,
  refundableMinor: 0,
  returnToken: 'token',
  redirectUrl: undefined,
  reference: undefined,
  transactionId: undefined,
  confirmationClaim: undefined,
  returnedMs: undefined,
  lostConfirmations: 0,
  chaos: undefined,
  polledMs: undefined,
  reportedPaidMs: undefined,
  reportedPaid: new Set(),
  lastAnswer: undefined,
  review: undefined,
  createdMs: Date.now(),
});

/** A running payment of a new session. */
export const begunPayment = async (
  world: World,
  { ref }: TestAccount,
  wishes: Partial<CheckoutSession> = {},
  gatewayCode = 'sim_card',
  acceptanceMethodId = newId(Date.now()),
): Promise<FoundPayment> => {
  const session = openSession(ref.id, wishes);
  await world.sessions.create(ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
  const payment = { ...pendingPayment(session, gatewayCode), acceptanceMethodId };
  await world.payments.add({ account: ref, session }, payment);
  return found(world, payment);
};

/** A payment after its gateway has answered. */
export const answeredPayment = async (
  world: World,
  account: TestAccount,
  answer: GatewayAnswer,
  wishes: Partial<CheckoutSession> = {},
  acceptanceMethodId = newId(Date.now()),
): Promise<FoundPayment> => {
  const begun = await begunPayment(world, account, wishes, 'sim_card', acceptanceMethodId);
  const { session, payment } = begun;
  const { amountMinor, currency, id } = payment;
  const settlement = settlementOf({
    session,
    payment,
    answer: { amountMinor, currency, paymentId: id, ...answer },
    acceptsLatePayments: false,
    refundId: newId(Date.now()),
    nowMs: Date.now(),
  });
  if (settlement) await world.payments.saveSettlement(begun, settlement);
  return found(world, payment);
};

const found = async (world: World, { sessionId, id }: Payment): Promise<FoundPayment> => {
  const payment = await world.payments.find(sessionId, id);
  if (!payment) throw new Error('the payment is not there');
  return payment;
};
