import type { ReviewDecision } from '../../shared/checkout/payment.ts';
import { timeOfId } from '../../shared/kit/id.ts';
import { minuteMs } from '../../shared/kit/time-units.ts';
import type { Code } from './bundle-functions.ts';
import { type AskedRefund, type Checkout, liveAmountMinor, type Merchant, type Order } from './checkout.ts';
import { type Answer, clientIn, type Request } from './client.ts';
import type { RefundState } from './gateways.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** A request of an operator, and what came of it. */
export interface Try {
  readonly fromMs: number;
  readonly toMs: number;
  readonly answer: Answer;
}

/** A decision of an operator on a held payment, which is repeated until it has an answer. */
export interface Review {
  readonly payment: string;
  readonly decision: ReviewDecision;
  readonly tries: Try[];
}

/** A refund that its gateway left open, with what an operator has found out there. */
export interface Settling {
  readonly payment: string;
  readonly refund: string;
  readonly tries: (Try & { readonly status: 'SUCCEEDED' | 'FAILED' })[];
}

/** The deletion of a subscription. */
export interface Removal {
  readonly merchant: Merchant;
  readonly webhook: string;
  readonly tries: Try[];
}

interface Alarm {
  readonly message: string;
  readonly accountId: string;
  readonly paymentId: string;
  readonly refundId: string;
}

type Operator = Awaited<ReturnType<typeof operatorIn>>;

const secondMs = 1_000;
/** Until an alarm rings, the run that logged it has ended, with all that it has sent. */
const alarmMs = 30 * secondMs;
/** An operator who is away finds most sessions over. */
const awayMs = 70 * minuteMs;
const awayChance = 0.15;
/** After the check of six hours. */
const lastLookMs = 365 * minuteMs;
/** A payer pays again within five minutes: before that check, because the next one comes when these worlds are over. */
const paidAgainMs = 350 * minuteMs;
const chaosKinds = ['duplicate_notification', 'tampered_amount', 'late_success', null] as const;
const decisions = { right: ['accept', 'accept', 'refund', 'reject'], wrong: ['refund', 'refund', 'reject'] } as const;

/** Operators settle what alarms tell them of, refund payments while merchants do, make trouble in test mode, and delete subscriptions. */
export const openReviewers = async (world: World, code: Code, { gateways, merchants, orders, payers }: Checkout) => {
  const { timeline, seed } = world;
  const client = clientIn(world);
  const random = randomIn(seed, 'reviewers');
  const operators = [await operatorIn(world, code, 'Ada'), await operatorIn(world, code, 'Grace')] as const;
  const reviews: Review[] = [];
  const settlings: Settling[] = [];
  const removals: Removal[] = [];
  const waiting = new Set<string>();
  const annulled = new Set<string>();
  let lookUntilMs = 0;

  const isNoAnswer = ({ status }: Answer): boolean => status >= 500 || status === 429;

  const tryOnce = async (request: Request): Promise<Try> => {
    const fromMs = timeline.nowMs();
    const answer = await client.ask(request);
    return { fromMs, toMs: timeline.nowMs(), answer };
  };

  /** Asks until there is an answer: all faults end at some time. */
  const ask = async (request: Request, tries: Try[]): Promise<Answer> => {
    const made = await tryOnce(request);
    tries.push(made);
    if (!isNoAnswer(made.answer)) return made.answer;
    await client.wait(5 * secondMs + random.below(20 * secondMs));
    return ask(request, tries);
  };

  /** A decision by what the gateway's books say. */
  const decisionOn = (payment: string, chance: Random): ReviewDecision => {
    const isRight = gateways.taken(payment).every((amount) => amount === liveAmountMinor);
    return chance.pick(isRight ? decisions.right : decisions.wrong);
  };

  /** Whoever has rejected a payment has its gateway annul what it has of it. */
  const annul = async ({ id, review }: { id: string; review?: { at: string } }, chance: Random): Promise<void> => {
    const name = `${id} ${review?.at}`;
    if (annulled.has(name)) return;
    annulled.add(name);
    gateways.annul(id);
    if (chance.isChance(0.5) || timeline.nowMs() > timeOfId(id) + paidAgainMs) return;
    lookUntilMs = Math.max(lookUntilMs, timeOfId(id) + lastLookMs);
    await payers.payAgain(id, chance);
  };

  const review = async (operator: Operator, alarm: Alarm, chance: Random, decision: ReviewDecision): Promise<void> => {
    const { paymentId: payment, accountId } = alarm;
    const made: Review = { payment, decision, tries: [] };
    reviews.push(made);
    const reason = chance.isChance(0.5) ? { reason: 'As the gateway says.' } : {};
    const { status, body } = await ask(
      {
        does: 'admin/review-payment',
        routeKey: 'POST /admin/v1/payments/{paymentId}/resolution',
        headers: operator,
        path: { paymentId: payment },
        body: { decision: made.decision, ...reason },
      },
      made.tries,
    );
    if (status === 409 && /can no longer complete/.test(body.error.message))
      return review(operator, alarm, chance, 'refund');
    const record = status === 200 ? body.data : await find(operator, accountId, payment);
    if (record?.review?.decision === 'reject' && record.status !== 'SUCCEEDED') await annul(record, chance);
  };

  /** A payment as operators see it. */
  const find = async (operator: Operator, account: string, payment: string) => {
    const { body } = await ask(
      {
        does: 'admin/list-payments',
        routeKey: 'GET /admin/v1/accounts/{id}/payments',
        headers: operator,
        path: { id: account },
      },
      [],
    );
    return body.data.find(({ id }: { id: string }) => id === payment);
  };

  /** Asks the gateway, and settles the refund by its word as soon as the product takes that. */
  const settle = async (operator: Operator, made: Settling, left = 40): Promise<void> => {
    const state: RefundState = gateways.refundState(made.payment, made.refund);
    if (state === 'under way') {
      await client.wait(2 * minuteMs);
      return settle(operator, made, left);
    }
    const status = state === 'made' ? 'SUCCEEDED' : 'FAILED';
    const tried = await tryOnce({
      does: 'admin/review-refund',
      routeKey: 'POST /admin/v1/payments/{paymentId}/refunds/{refundId}/resolution',
      headers: operator,
      path: { paymentId: made.payment, refundId: made.refund },
      body: { status },
    });
    made.tries.push({ ...tried, status });
    const isAsked = tried.answer.status === 409 && /still being asked/.test(tried.answer.body.error.message);
    if (left === 0 || !(isAsked || isNoAnswer(tried.answer))) return;
    await client.wait(30 * secondMs);
    return settle(operator, made, left - 1);
  };

  const refund = (order: Order, by: AskedRefund['by'], payment: string, key: string, amountMinor?: number): void => {
    const asked: AskedRefund = { payment, idempotencyKey: key, by, answers: [] };
    order.refunds.push(asked);
    const { account, keys } = order.merchant;
    const [does, routeKey, headers] =
      by === 'operator'
        ? ['admin/create-refund', 'POST /admin/v1/payments/{paymentId}/refunds', operators[0]]
        : [
            'merchants/refund-payment',
            'POST /v1/payments/{id}/refunds',
            { authorization: `Bearer ${order.livemode ? keys.live : keys.test}` },
          ];
    client.request(
      {
        ...{ does: String(does), routeKey: String(routeKey), headers: Object(headers) },
        path: { [by === 'operator' ? 'paymentId' : 'id']: payment },
        ...(by === 'merchant' && { account: account.ref.id }),
        idempotencyKey: key,
        body: amountMinor === undefined ? {} : { amountMinor },
      },
      (answer) => asked.answers.push(answer),
    );
  };

  /** Does something soon or late, once for all alarms until then. Another operator may do it at the same time. */
  const attend = (name: string, act: (operator: Operator, chance: Random) => void): void => {
    if (waiting.has(name)) return;
    waiting.add(name);
    const chance = randomIn(seed, `${name} ${timeline.nowMs()}`);
    const isAway = randomIn(seed, `away from ${name}`).isChance(awayChance);
    const lateMs = chance.below(chance.isChance(0.7) ? 20 * secondMs : 40 * minuteMs);
    const inMs = alarmMs + lateMs + (isAway ? awayMs : 0);
    timeline.after(inMs, () => {
      waiting.delete(name);
      act(operators[0], chance);
    });
    if (chance.isChance(0.4))
      timeline.after(inMs + chance.below(chance.isChance(0.5) ? 300 : 2 * secondMs), () => act(operators[1], chance));
  };

  world.onAlarm((line) => {
    const alarm: Alarm = JSON.parse(line);
    const { message, accountId, paymentId, refundId } = alarm;
    if (message === 'payment held for review')
      attend(
        `review ${paymentId}`,
        (operator, chance) => void review(operator, alarm, chance, decisionOn(paymentId, chance)),
      );
    if (message === 'a refund stays unclear')
      attend(`settle ${refundId}`, (operator) => {
        const made: Settling = { payment: paymentId, refund: refundId, tries: [] };
        settlings.push(made);
        void settle(operator, made);
      });
    const order = orders.find(({ merchant }) => merchant.account.ref.id === accountId);
    if (message === 'surplus money could not be refunded' && order)
      attend(`refund ${refundId}`, () => refund(order, 'operator', paymentId, `instead of ${refundId}`));
  });

  const anyOrder = (chance: Random): Order | undefined => orders[chance.below(orders.length)];

  /** An operator refunds a payment, perhaps while its merchant does, who may use the same key. */
  const refundAny = (id: string, chance: Random): void => {
    const order = anyOrder(chance);
    const payment = order?.payments[chance.below(order.payments.length)];
    if (!order || payment === undefined) return;
    const amountMinor = chance.isChance(0.5) ? chance.pick([100_000, 150_000]) : undefined;
    refund(order, 'operator', payment, id, amountMinor);
    if (chance.isChance(0.6))
      timeline.after(chance.below(300), () => refund(order, 'merchant', payment, id, amountMinor));
  };

  const makeTrouble = (chance: Random): void => {
    const order = orders.find(({ livemode }) => !livemode);
    const session = order?.answers.find(({ status }) => status === 201)?.body.data.id;
    if (session === undefined) return;
    void ask(
      {
        does: 'admin/set-chaos',
        routeKey: 'PUT /admin/v1/checkout-sessions/{id}/chaos',
        headers: operators[0],
        path: { id: session },
        body: { chaos: chance.pick(chaosKinds) },
      },
      [],
    );
  };

  const removeWebhook = (chance: Random): void => {
    const merchant = merchants[chance.below(merchants.length)];
    const webhook = merchant?.webhooks[chance.below(merchant.webhooks.length)]?.id;
    if (!merchant || webhook === undefined) return;
    const made: Removal = { merchant, webhook, tries: [] };
    removals.push(made);
    void ask(
      {
        does: 'admin/delete-checkout-webhook',
        routeKey: 'DELETE /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}',
        headers: operators[1],
        path: { id: merchant.account.ref.id, webhookId: webhook },
      },
      made.tries,
    );
  };

  const plan = (name: string, mostMs: number, act: (chance: Random) => void): void => {
    const chance = randomIn(seed, name);
    world.plan(name, world.startMs + chance.below(mostMs), () => act(chance));
  };
  for (let n = 1 + random.below(3); n > 0; n -= 1)
    plan(`hand refund ${n}`, (random.isChance(0.6) ? 8 : 40) * minuteMs, (chance) => refundAny(`by hand ${n}`, chance));
  plan('chaos', 90 * secondMs, makeTrouble);
  if (random.isChance(0.3)) plan('deletion of a subscription', 10 * minuteMs, removeWebhook);

  return {
    reviews,
    settlings,
    removals,
    /** Whether a payment that was paid again may still be asked about. */
    isScheduling: (): boolean => timeline.nowMs() < lookUntilMs,
  };
};

export type Reviewers = Awaited<ReturnType<typeof openReviewers>>;
