import { minuteMs } from '../../shared/kit/time-units.ts';
import { type Checkout, liveAmountMinor, type Order } from './checkout.ts';
import type { Answer, Data, Request } from './client.ts';
import { patientClientIn } from './patient-client.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What a merchant's server or a payer's page has read of a session. */
export interface Look {
  readonly session: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly status: string;
}

/** An order whose payer uses the page without JavaScript, and sends each of its forms more than once. */
export interface PageOrder {
  readonly order: Order;
  /** How many forms were shown. */
  forms: number;
}

/** What is read of a session by everybody who can, when all is quiet. */
export interface Reading {
  readonly order: Order;
  readonly session: Data;
  /** By its id alone, by the payer's page, and by a poll. */
  readonly others: readonly Data[];
  readonly resultStatus: number;
  readonly payments: readonly { readonly listed: Data; readonly alone: Data; readonly refunds: readonly Data[] }[];
  readonly refunds: readonly { readonly listed: Data; readonly alone: Data }[];
}

const secondMs = 1_000;
const mostForms = 3;
const calmMs = 11 * minuteMs;

/** Merchants and payers look at sessions while they change, and when all is quiet; payers tap twice. */
export const openWatchers = (world: World, { merchants, orders, payers }: Checkout) => {
  const { timeline, seed, startMs } = world;
  const client = patientClientIn(world);
  const random = randomIn(seed, 'watchers');
  const looks: Look[] = [];
  const pageOrders: PageOrder[] = [];

  const sessionOf = ({ answers }: Order): string | undefined =>
    answers.find(({ status }) => status === 201)?.body.data.id;

  const byMerchant = (
    { merchant: { account, keys }, livemode }: Order,
    does: string,
    routeKey: string,
    more: Partial<Request> = {},
  ): Request => ({
    ...{ does, routeKey, account: account.ref.id, ...more },
    headers: { authorization: `Bearer ${livemode ? keys.live : keys.test}` },
  });
  const byPublic = (does: string, routeKey: string, id: string): Request => ({ does, routeKey, path: { id } });

  const retrieval = (order: Order, id: string) =>
    byMerchant(order, 'merchants/retrieve-session', 'GET /v1/checkout-sessions/{id}', { path: { id } });
  const views = (order: Order, id: string) =>
    [
      retrieval(order, id),
      byPublic('checkout/get-session', 'GET /v1/public/checkout-sessions/{id}', id),
      byPublic('checkout/get-session-status', 'GET /v1/public/checkout-sessions/{id}/status', id),
    ] as const;

  const resultOf = (id: string) => byPublic('checkout/show-result', 'GET /checkout/{id}/result', id);

  /** Looks now and then, until the session is likely to be over. */
  const watch = async (chance: Random): Promise<void> => {
    const order = orders[chance.below(orders.length)];
    const session = order && sessionOf(order);
    if (!order || session === undefined) return;
    for (let left = 2 + chance.below(3); left > 0; left -= 1) {
      const fromMs = timeline.nowMs();
      const { status, body } = await client.ask(chance.pick([...views(order, session), resultOf(session)]));
      // The page of the result is shown of a completed session only.
      const read: string = body?.data?.status ?? 'COMPLETED';
      if (status === 200) looks.push({ session, fromMs, toMs: timeline.nowMs(), status: read });
      await client.wait(chance.below(chance.isChance(0.5) ? 5 * secondMs : 12 * minuteMs));
    }
  };

  /** Sends a form, and again while there is no answer. Gives the payment that it led to. */
  const send = async (session: string, body: string, left = 3): Promise<string | undefined> => {
    const { status, headers } = await client.ask({
      ...byPublic('checkout/begin-payment-by-form', 'POST /checkout/{id}/pay', session),
      body,
    });
    const payment = /\/payments\/([^/?]+)/.exec(headers['Location'] ?? '')?.[1];
    if (payment !== undefined || status < 500 || left === 0) return payment;
    await client.wait(2 * secondMs);
    return send(session, body, left - 1);
  };

  const fillIn = async (made: PageOrder, session: string, chance: Random): Promise<void> => {
    const { status, body } = await client.ask(retrieval(made.order, session));
    const methods = body?.data?.eligibleMethods;
    if (status !== 200 || body.data.status !== 'OPEN' || methods.length === 0) return;
    const { acceptanceMethodId } = methods[chance.below(methods.length)];
    made.forms += 1;
    const form = new URLSearchParams({ acceptanceMethodId, begun: `${body.data.payments.length}` }).toString();
    const follow = async (payment: string | undefined): Promise<void> => {
      if (payment === undefined || made.order.payments.includes(payment)) return;
      made.order.payments.push(payment);
      await payers.goThrough(session, payment, chance);
    };
    const againMs = chance.below(chance.isChance(0.6) ? 1_500 : 5 * minuteMs);
    const again = client.wait(againMs).then(() => send(session, form).then(follow));
    await send(session, form).then(follow);
    await again;
  };

  /** An order of its own: no other tab begins payments of it. */
  const orderByPage = (chance: Random): void => {
    const order: Order = {
      ...{ id: 'order by page', livemode: chance.isChance(0.8), copies: 1, answers: [], payments: [], refunds: [] },
      merchant: chance.pick(merchants as [(typeof merchants)[number]]),
    };
    const made: PageOrder = { order, forms: 0 };
    orders.push(order);
    pageOrders.push(made);
    const body = {
      amountMinor: liveAmountMinor,
      currency: 'BDT',
      expiresInSeconds: 900,
      metadata: { order: order.id },
    };
    const creation = byMerchant(order, 'checkout/create-session', 'POST /v1/checkout-sessions', { body });
    client.request({ ...creation, idempotencyKey: order.id }, async (answer: Answer) => {
      order.answers.push(answer);
      const session = sessionOf(order);
      for (let left = mostForms; session !== undefined && left > 0; left -= 1) {
        await client.wait(chance.below(minuteMs));
        await fillIn(made, session, chance);
      }
    });
  };

  const plan = (name: string, mostMs: number, act: (chance: Random) => void): void => {
    const chance = randomIn(seed, name);
    world.plan(name, startMs + chance.below(mostMs), () => act(chance));
  };
  for (let n = random.below(3); n > 0; n -= 1) plan(`watch ${n}`, 15 * minuteMs, (chance) => void watch(chance));
  if (random.isChance(0.5)) plan('order by page', minuteMs, orderByPage);

  const dataOf = async (request: Request): Promise<Data> => (await client.insist(request)).body?.data;

  const read = async (order: Order, id: string): Promise<Reading> => {
    const list = (does: string, what: string): Promise<Data> =>
      dataOf(byMerchant(order, `merchants/${does}`, `GET /v1/${what}`, { query: { limit: '100' } }));
    const one = (does: string, what: string, of: string): Promise<Data> =>
      dataOf(byMerchant(order, `merchants/${does}`, `GET /v1/${what}/{id}`, { path: { id: of } }));
    const [session, ...others] = await Promise.all(views(order, id).map(dataOf));
    const [sessions, payments, refunds] = await Promise.all([
      list('list-sessions', 'checkout-sessions'),
      list('list-payments', 'payments'),
      list('list-refunds', 'refunds'),
    ]);
    const result = await client.insist(resultOf(id));
    const own = payments.filter((each: Data) => each.checkoutSessionId === id);
    const refundsOf = (payment: Data): Data[] => refunds.filter((each: Data) => each.paymentId === payment.id);
    const readRefund = async (listed: Data) => ({ listed, alone: await one('get-refund', 'refunds', listed.id) });
    const readPayment = async (listed: Data) => ({
      ...{ listed, refunds: refundsOf(listed), alone: await one('get-payment', 'payments', listed.id) },
    });
    return {
      ...{ order, session, others: [...others, sessions.find((each: Data) => each.id === id)] },
      resultStatus: result.status,
      payments: await Promise.all(own.map(readPayment)),
      refunds: await Promise.all(own.flatMap(refundsOf).map(readRefund)),
    };
  };

  const readings: Reading[] = [];
  return {
    looks,
    pageOrders,
    readings,

    /** Reads every session in all ways, when all is quiet and nothing fails any more. */
    readAll: async (): Promise<void> => {
      await client.wait(Math.max(0, startMs + calmMs - timeline.nowMs()));
      for (const order of orders) {
        const session = sessionOf(order);
        if (session !== undefined) readings.push(await read(order, session));
      }
    },
  };
};

export type Watchers = ReturnType<typeof openWatchers>;
