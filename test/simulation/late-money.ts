import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { type AskedRefund, liveAmountMinor, type Order, openCheckout } from './checkout.ts';
import { gatewayUrls } from './gateways.ts';
import { patientClientIn } from './patient-client.ts';
import { type Random, randomIn } from './random.ts';
import type { HttpCall } from './services.ts';
import { atHour, daysStartMs } from './storms.ts';
import type { World } from './world.ts';

const orderCount = 2;
/** So long before the end that all checks of a payment have come by then. */
const orderedWithinMs = 3 * dayMs;

const outageFromMs = 2 * dayMs;
const promptCount = 2;

/** A merchant whose payers pay hours or days after they have chosen a way to pay, and are not heard of again, and who gives money back while the gateways are out of order. */
export const openLateMoney = async (world: World, code: Code, account: Account) => {
  const { seed, timeline } = world;
  const { insist } = patientClientIn(world);
  const startMs = daysStartMs(world.startMs);
  const checkout = await openCheckout(world, code, [account], { misreports: false, receipts: undefined });
  const { merchants, orders, payers } = checkout;
  const [merchant] = merchants;
  if (!merchant) throw new Error('a merchant is missing');
  const broken = randomIn(seed, 'outage of gateways');
  const fromMs = startMs + outageFromMs + broken.below(2 * dayMs);
  const outage = { fromMs, toMs: fromMs + 10 * hourMs + broken.below(14 * hourMs) };
  const offered = merchant.methods.filter(({ livemode }) => livemode);

  const waitOf = (chance: Random): number =>
    chance.pick([
      chance.below(50 * minuteMs),
      hourMs + chance.below(22 * hourMs),
      24 * hourMs + chance.below(47 * hourMs),
      70 * hourMs + chance.below(100 * minuteMs),
    ]);

  const pay = async (order: Order, session: string, chance: Random, isPrompt: boolean): Promise<void> => {
    const { id: acceptanceMethodId = '' } = offered[chance.below(offered.length)] ?? {};
    const { status, body } = await insist({
      does: 'checkout/begin-payment',
      routeKey: 'POST /v1/public/checkout-sessions/{id}/payments',
      path: { id: session },
      body: { acceptanceMethodId },
    });
    if (status !== 201) return;
    order.payments.push(body.data.paymentId);
    if (isPrompt) return payers.goThrough(session, body.data.paymentId, chance);
    if (chance.isChance(0.8)) await payers.payLate(session, body.data.paymentId, waitOf(chance), chance);
  };

  const buy = async (id: string, chance: Random, isPrompt = false): Promise<void> => {
    const order: Order = { id, merchant, livemode: true, copies: 1, answers: [], payments: [], refunds: [] };
    orders.push(order);
    const answer = await insist({
      does: 'checkout/create-session',
      routeKey: 'POST /v1/checkout-sessions',
      headers: { authorization: `Bearer ${merchant.keys.live}` },
      account: account.ref.id,
      idempotencyKey: id,
      body: {
        amountMinor: liveAmountMinor,
        currency: 'BDT',
        metadata: { order: id },
        expiresInSeconds: chance.pick([900, 3_600, 86_400]),
      },
    });
    order.answers.push(answer);
    if (answer.status === 201) await pay(order, answer.body.data.id, chance, isPrompt);
  };

  /** Gives back what was paid in time. */
  const refund = async (idempotencyKey: string, chance: Random): Promise<void> => {
    const order = orders.find(({ id }) => id === idempotencyKey.replace('refund', 'order'));
    const [payment] = order?.payments ?? [];
    if (!order || payment === undefined) return;
    const asked: AskedRefund = { payment, by: 'merchant', idempotencyKey, answers: [] };
    order.refunds.push(asked);
    const answer = await insist({
      does: 'merchants/refund-payment',
      routeKey: 'POST /v1/payments/{id}/refunds',
      headers: { authorization: `Bearer ${merchant.keys.live}` },
      account: account.ref.id,
      path: { id: payment },
      idempotencyKey,
      body: chance.isChance(0.5) ? { amountMinor: 100_000 } : {},
    });
    asked.answers.push(answer);
  };

  for (let n = 1; n <= orderCount; n += 1) {
    const id = `late order ${n}`;
    const chance = randomIn(seed, id);
    world.plan(id, startMs + atHour(chance, 0, orderedWithinMs), () => void buy(id, chance));
  }
  for (let n = 1; n <= promptCount; n += 1) {
    const chance = randomIn(seed, `prompt order ${n}`);
    const boughtMs = outage.fromMs - 2 * hourMs - chance.below(3 * hourMs);
    world.plan(`prompt order ${n}`, boughtMs, () => void buy(`prompt order ${n}`, chance, true));
    const refundMs = outage.fromMs + chance.below((outage.toMs - outage.fromMs) / 2);
    world.plan(`prompt refund ${n}`, refundMs, () => void refund(`prompt refund ${n}`, chance));
  }

  const isOut = (): boolean => timeline.nowMs() >= outage.fromMs && timeline.nowMs() < outage.toMs;
  const gatewayOrigins = new Set(Object.values(gatewayUrls));
  return {
    account,
    checkout,
    outage,

    /** The answer of a gateway; undefined: another is called. */
    answer: (call: HttpCall): { readonly statusCode: number; readonly body: string } | undefined =>
      isOut() && gatewayOrigins.has(new URL(call.url).origin)
        ? { statusCode: 503, body: '' }
        : checkout.gateways.answer(call),
  };
};
