import { minuteMs } from '../../shared/kit/time-units.ts';
import { type Checkout, liveAmountMinor, type Merchant, type Order, testAmounts } from './checkout.ts';
import type { Request } from './client.ts';
import { patientClientIn } from './patient-client.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** An order whose page is opened, and whose payers choose nothing there: where there is one method, opening begins the payment. */
export interface VisitedOrder {
  readonly order: Order;
  /** Whether a person opened it, or previews of its link only. */
  isOpened: boolean;
}

/** SSLCommerz takes no payment so small: bKash is the one method. */
const bkashOnlyMinor = 900;
const previewer = { 'user-agent': 'WhatsApp/2.23.20.0' };

/** Payers open the pages of sessions with a single method and with more, in several tabs, and their messengers preview the links. */
export const openVisitors = (world: World, { merchants, orders, payers, gateways }: Checkout) => {
  const { timeline, seed, startMs } = world;
  const client = patientClientIn(world);
  const random = randomIn(seed, 'visitors');
  const visited: VisitedOrder[] = [];

  const pageOf = (id: string, headers: Request['headers'] = {}): Request => ({
    ...{ does: 'checkout/show-checkout', routeKey: 'GET /checkout/{id}', path: { id }, headers },
  });

  /** One tab: opens the page, goes through with the payment that this leads to, and comes back. */
  const openTab = async (made: VisitedOrder, session: string, chance: Random): Promise<void> => {
    for (let looks = 1 + chance.below(3); looks > 0; looks -= 1) {
      made.isOpened = true;
      const { headers } = await client.insist(pageOf(session));
      const payment = /\/payments\/([^/?]+)/.exec(headers['Location'] ?? '')?.[1];
      if (payment !== undefined) {
        if (!made.order.payments.includes(payment)) made.order.payments.push(payment);
        await payers.goThrough(session, payment, chance);
      }
      await client.wait(chance.below(chance.isChance(0.5) ? 8_000 : 5 * minuteMs));
    }
  };

  const visit = (made: VisitedOrder, session: string, chance: Random): void => {
    for (let previews = chance.below(3); previews > 0; previews -= 1)
      timeline.after(chance.below(minuteMs), () => void client.ask(pageOf(session, previewer)));
    for (let tabs = chance.below(4); tabs > 0; tabs -= 1) {
      const own = randomIn(seed, `${made.order.id} tab ${tabs}`);
      timeline.after(chance.below(chance.isChance(0.5) ? 1_500 : minuteMs), () => void openTab(made, session, own));
    }
  };

  const takeOrder = (name: string, chance: Random): void => {
    const order: Order = {
      ...{ id: name, livemode: chance.isChance(0.6), copies: 1, answers: [], payments: [], refunds: [] },
      merchant: chance.pick(merchants as [Merchant]),
    };
    const made: VisitedOrder = { order, isOpened: false };
    orders.push(order);
    visited.push(made);
    // What gateways misreport is an amount that is near the usual one.
    const liveMinor = gateways.misreports || chance.isChance(0.3) ? liveAmountMinor : bkashOnlyMinor;
    client.request(
      {
        ...{ does: 'checkout/create-session', routeKey: 'POST /v1/checkout-sessions', idempotencyKey: name },
        headers: { authorization: `Bearer ${order.livemode ? order.merchant.keys.live : order.merchant.keys.test}` },
        account: order.merchant.account.ref.id,
        body: {
          amountMinor: order.livemode ? liveMinor : chance.pick(testAmounts),
          ...{ currency: 'BDT', expiresInSeconds: 900, metadata: { order: name } },
        },
      },
      (answer) => {
        order.answers.push(answer);
        if (answer.status === 201) visit(made, answer.body.data.id, chance);
      },
    );
  };

  for (let n = random.isChance(0.6) ? 1 : 0; n > 0; n -= 1) {
    const name = `order by link ${n}`;
    world.plan(name, startMs + random.below(minuteMs), () => takeOrder(name, randomIn(seed, name)));
  }

  return { visited };
};

export type Visitors = ReturnType<typeof openVisitors>;
