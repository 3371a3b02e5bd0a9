import type { AcceptanceMethod } from '../../shared/checkout/methods.ts';
import { timeOfId } from '../../shared/kit/id.ts';
import { minuteMs } from '../../shared/kit/time-units.ts';
import type { Account, Subscription } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { type Answer, clientIn } from './client.ts';
import { openGateways, wishedMethods } from './gateways.ts';
import { payersAt } from './payers.ts';
import { type Random, randomIn } from './random.ts';
import type { Receipts } from './receipts.ts';
import type { World } from './world.ts';

/** An account that takes payments. */
export interface Merchant {
  readonly account: Account;
  readonly keys: { readonly live: string; readonly test: string };
  readonly methods: readonly AcceptanceMethod[];
  readonly webhooks: readonly Subscription[];
}

/** A refund that a merchant asked for, or an operator for a merchant, and what came of it. */
export interface AskedRefund {
  readonly payment: string;
  readonly by: 'merchant' | 'operator';
  readonly idempotencyKey: string;
  readonly answers: Answer[];
}

/** Something that is to be paid for, and what came of it. */
export interface Order {
  readonly id: string;
  readonly merchant: Merchant;
  readonly livemode: boolean;
  /** How many calls create its session, each with answers of its own. */
  readonly copies: number;
  readonly answers: Answer[];
  /** The payments that its payers were told of. */
  readonly payments: string[];
  readonly refunds: AskedRefund[];
}

/** After the check of an hour. */
const lastLookMs = 65 * minuteMs;
/** Too long for the row of a session. */
const longDescription = 'x'.repeat(1_000);

const dueEntities: ReadonlySet<string> = new Set(['checkout-session', 'payment', 'refund']);
const checkoutEvents = ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed'];
/** What each live order costs. */
export const liveAmountMinor = 250_000;
/** By the exact amount, the simulator pays, declines, times out, sends no notification, or is slow. */
export const testAmounts = [250_000, 250_000, 1_001, 1_002, 1_003, 1_004] as const;

/** The methods of each merchant, as they are wished at first. */
export const methodsAtFirst = () =>
  wishedMethods.map((wish, sortOrder) => ({ ...wish, displayLabel: wish.gatewayCode, enabled: true, sortOrder }));

/** Merchants, their servers, and payers on the hosted page and at the gateways. `misreports`: gateways do not always report what was asked. `receipts`: payers get one by mail. */
export const openCheckout = async (
  world: World,
  { inside }: Code,
  accounts: readonly Account[],
  { misreports, receipts }: { readonly misreports: boolean; readonly receipts: Receipts | undefined },
) => {
  const { seed, timeline, spared } = world;
  const random = randomIn(seed, 'checkout');
  const { request, ask, wait } = clientIn(world);
  const gateways = openGateways(world, misreports);
  const payers = payersAt(gateways, world);
  const orders: Order[] = [];

  const newMerchant = (account: Account, number: number): Promise<Merchant> =>
    spared(async () => {
      const { ref } = account;
      const nowMs = timeline.nowMs();
      const wishes = methodsAtFirst();
      const methods = await inside.stores.methods().replace(ref, wishes, inside.newId(nowMs));
      const newKey = async (livemode: boolean) => {
        const key = inside.makeCheckoutKey('secret', livemode);
        const limits = { rateLimitPerMinute: 10_000, limits: {} };
        const named = { id: inside.newId(nowMs), name: 'key', kind: 'secret', livemode, ...limits } as const;
        await inside.stores.checkoutKeys().create(ref, key, named, nowMs);
        return key;
      };
      const keys = { live: await newKey(true), test: await newKey(false) };
      const webhooks: Subscription[] = [];
      for (let n = random.below(3); n > 0; n -= 1) {
        const url = `https://${random.pick(['good', 'good', 'flaky'])}-shop-${number}-${n}.example.com/hook`;
        const events = n === 1 ? [...checkoutEvents, 'checkout_session.expired'] : checkoutEvents.slice(0, 2);
        const id = inside.newId(timeline.nowMs());
        const fields = { name: `shop ${n}`, url, events, isActive: true };
        const secret = random.uuid();
        await inside.stores.checkoutWebhooks().create(ref, id, fields, { secret, most: 20 });
        webhooks.push({ id, url, events, secret });
      }
      return { account, keys, methods, webhooks };
    });
  const merchants: Merchant[] = [];
  for (const [n, account] of accounts.entries()) merchants.push(await newMerchant(account, n));

  const byMerchant = ({ merchant: { account, keys }, livemode }: Order) => ({
    headers: { authorization: `Bearer ${livemode ? keys.live : keys.test}` },
    account: account.ref.id,
  });

  /** One tab of a payer's browser: begins payments, and goes through with them or not. */
  const pay = async (order: Order, session: string, chance: Random): Promise<void> => {
    const offered = order.merchant.methods.filter(({ livemode }) => livemode === order.livemode);
    for (let tries = 1 + chance.below(2); tries > 0; tries -= 1) {
      await wait(chance.below(minuteMs));
      const { id: acceptanceMethodId = '' } = offered[chance.below(offered.length)] ?? {};
      const { status, body } = await ask({
        does: 'checkout/begin-payment',
        routeKey: 'POST /v1/public/checkout-sessions/{id}/payments',
        path: { id: session },
        body: { acceptanceMethodId },
      });
      if (status !== 201) continue;
      order.payments.push(body.data.paymentId);
      if (chance.isChance(0.15))
        timeline.after(chance.below(minuteMs), () => void payers.giveUp(session, body.data.paymentId));
      await payers.goThrough(session, body.data.paymentId, chance);
    }
  };

  /** A merchant gives money back, in one part or in several, at times more than there is. */
  const refund = (order: Order, n: number, chance: Random): void => {
    const payment = order.payments[chance.below(Math.max(1, order.payments.length))];
    if (payment === undefined) return;
    const asked: AskedRefund = { payment, by: 'merchant', idempotencyKey: `refund ${n}`, answers: [] };
    order.refunds.push(asked);
    const amount = chance.isChance(0.6) ? { amountMinor: chance.pick([100_000, 150_000, 1_001]) } : {};
    for (let copies = chance.isChance(0.3) ? 2 : 1; copies > 0; copies -= 1)
      timeline.after(chance.below(1_500), () =>
        request(
          {
            does: 'merchants/refund-payment',
            routeKey: 'POST /v1/payments/{id}/refunds',
            path: { id: payment },
            ...byMerchant(order),
            idempotencyKey: asked.idempotencyKey,
            body: amount,
          },
          (answer) => asked.answers.push(answer),
        ),
      );
  };

  /** What follows from an order whose session the merchant has. */
  const follow = (order: Order, session: string): void => {
    const chanceOf = (name: string) => randomIn(seed, `${order.id} ${name}`);
    const chance = chanceOf('follows');
    const later = (ms: number) => timeline.nowMs() + chance.below(ms);
    for (let tab = chance.isChance(0.4) ? 2 : 1; tab > 0; tab -= 1)
      world.plan(`${order.id} tab ${tab}`, later(2 * minuteMs), () => void pay(order, session, chanceOf(`tab ${tab}`)));
    for (let n = chance.below(3); n > 0; n -= 1)
      world.plan(`${order.id} refund ${n}`, later(30 * minuteMs), () => refund(order, n, chanceOf(`refund ${n}`)));
    if (chance.isChance(0.15))
      world.plan(`${order.id} end`, later(10 * minuteMs), () =>
        ask({
          does: 'merchants/expire-session',
          routeKey: 'POST /v1/checkout-sessions/{id}/expire',
          path: { id: session },
          ...byMerchant(order),
        }),
      );
  };

  const plan = (n: number): void => {
    const livemode = random.isChance(0.8);
    const order: Order = {
      id: `order ${n}`,
      merchant: merchants[random.below(merchants.length)] as Merchant,
      livemode,
      copies: random.isChance(0.3) ? 2 : 1,
      answers: [],
      payments: [],
      refunds: [],
    };
    const body = {
      amountMinor: livemode ? liveAmountMinor : random.pick(testAmounts),
      currency: 'BDT',
      metadata: { order: order.id },
      ...(receipts && { customer: receipts.customerOf(order.id) }),
      ...(n % 2 === 1 && { description: longDescription }),
      expiresInSeconds: random.pick([300, 900, 1_800]),
    };
    const create = () =>
      request(
        {
          does: 'checkout/create-session',
          routeKey: 'POST /v1/checkout-sessions',
          ...byMerchant(order),
          idempotencyKey: order.id,
          body,
        },
        (answer) => {
          if (answer.status === 201 && order.answers.every(({ status }) => status !== 201))
            follow(order, answer.body.data.id);
          order.answers.push(answer);
        },
      );
    world.plan(order.id, world.startMs + random.below(minuteMs), () => {
      orders.push(order);
      create();
      if (order.copies > 1) timeline.after(random.below(1_500), create);
    });
  };
  for (let n = random.isChance(0.3) ? 2 : 1; n > 0; n -= 1) plan(n);

  const dueRows = () =>
    world.table.all().filter(({ entity, GSI1SK }) => GSI1SK !== undefined && dueEntities.has(String(entity)));

  return {
    merchants,
    orders,
    gateways,
    payers,
    follow,
    /** Whether a session, a payment or a refund waits for its time. A payment that has ended is asked about once more, after an hour. */
    isScheduling: () =>
      dueRows().some(
        ({ entity, status, payment }) =>
          entity !== 'payment' || status === 'PENDING' || timeline.nowMs() < timeOfId(String(payment)) + lastLookMs,
      ),
  };
};

export type Checkout = Awaited<ReturnType<typeof openCheckout>>;
