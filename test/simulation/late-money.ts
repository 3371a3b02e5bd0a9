import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { liveAmountMinor, type Order, openCheckout } from './checkout.ts';
import { patientClientIn } from './patient-client.ts';
import { type Random, randomIn } from './random.ts';
import { atHour, daysStartMs } from './storms.ts';
import type { World } from './world.ts';

const orderCount = 3;
/** So long before the end that all checks of a payment have come by then. */
const orderedWithinMs = 3 * dayMs;

/** A merchant whose payers pay hours or days after they have chosen a way to pay, and are not heard of again. */
export const openLateMoney = async (world: World, code: Code, account: Account) => {
  const { seed } = world;
  const { insist } = patientClientIn(world);
  const startMs = daysStartMs(world.startMs);
  const checkout = await openCheckout(world, code, [account], { misreports: false, receipts: undefined });
  const { merchants, orders, payers } = checkout;
  const [merchant] = merchants;
  if (!merchant) throw new Error('a merchant is missing');
  const offered = merchant.methods.filter(({ livemode }) => livemode);

  const waitOf = (chance: Random): number =>
    chance.pick([
      chance.below(50 * minuteMs),
      hourMs + chance.below(22 * hourMs),
      24 * hourMs + chance.below(47 * hourMs),
      70 * hourMs + chance.below(100 * minuteMs),
    ]);

  const pay = async (order: Order, session: string, chance: Random): Promise<void> => {
    const { id: acceptanceMethodId = '' } = offered[chance.below(offered.length)] ?? {};
    const { status, body } = await insist({
      does: 'checkout/begin-payment',
      routeKey: 'POST /v1/public/checkout-sessions/{id}/payments',
      path: { id: session },
      body: { acceptanceMethodId },
    });
    if (status !== 201) return;
    order.payments.push(body.data.paymentId);
    if (chance.isChance(0.8)) await payers.payLate(session, body.data.paymentId, waitOf(chance), chance);
  };

  const buy = async (id: string, chance: Random): Promise<void> => {
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
    if (answer.status === 201) await pay(order, answer.body.data.id, chance);
  };

  for (let n = 1; n <= orderCount; n += 1) {
    const id = `late order ${n}`;
    const chance = randomIn(seed, id);
    world.plan(id, startMs + atHour(chance, 0, orderedWithinMs), () => void buy(id, chance));
  }
  return { account, checkout };
};
