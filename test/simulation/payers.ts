import { orderNumberOf } from '../../shared/checkout/order-number.ts';
import { minuteMs } from '../../shared/kit/time-units.ts';
import { clientIn, type Request } from './client.ts';
import type { Gateways } from './gateways.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What a payer does at the gateway. */
const ways = ['pays', 'pays', 'pays', 'pays late', 'fails', 'fails, then pays', 'cancels', 'leaves'] as const;
type Way = (typeof ways)[number];
/** Where it matters what gateways report of money, more of them pay. */
const payingWays = ['pays', 'pays', 'pays', 'pays', 'pays late', 'fails, then pays', 'cancels'] as const;

/** Of so many worlds one has payers who pay an order at SSLCommerz twice. */
const worldsPerSecond = 40;
const placeOfSecond = 24;

/** An order that was paid a second time; whether its gateway's notification of that was heard. */
export interface SecondPayment {
  readonly payment: string;
  isHeard: boolean;
}

/** Of payers who pay, so many are not heard of again. */
const goneChance = 0.25;

/** Payers on the waiting page and at the gateways, and what the gateways notify of them. */
export const payersAt = (gateways: Gateways, world: World) => {
  const { timeline } = world;
  const { ask, wait } = clientIn(world);
  const seconds: SecondPayment[] = [];

  /** Gateways call again while they get no answer. Gives whether they had one. */
  const notify = async (paymentId: string, form: string): Promise<boolean> => {
    const call: Request = {
      does: 'callbacks/receive-payment-notification',
      routeKey: 'POST /callbacks/payments/{gatewayCode}/{paymentId}',
      path: { gatewayCode: 'sslcommerz', paymentId },
      body: form,
    };
    for (let left = 5; left > 0; left -= 1) {
      if ((await ask(call)).status < 500) return true;
      await wait(20_000);
    }
    return false;
  };

  const comeBack = async (url: string, form: string | undefined, chance: Random): Promise<void> => {
    const { pathname, searchParams } = new URL(url);
    const back: Request = {
      does: 'checkout/return-from-gateway',
      routeKey: `${form === undefined ? 'GET' : 'POST'} /checkout/return/{returnToken}`,
      path: { returnToken: pathname.split('/').at(-1) ?? '' },
      query: Object.fromEntries(searchParams),
      ...(form !== undefined && { body: form }),
    };
    for (let times = chance.below(4); times > 0; times -= 1) {
      if ((await ask(back)).status < 500 && chance.isChance(0.7)) return;
      await wait(chance.below(10_000));
    }
  };

  const actAtBkash = async (paymentID: string, way: Way, chance: Random): Promise<void> => {
    const { bkash } = gateways;
    const payment = bkash.payment(paymentID);
    if (way === 'leaves') return;
    if (way === 'fails') payment.refusal = { code: '2023', message: 'Insufficient Balance' };
    const word = way === 'cancels' ? 'cancel' : 'success';
    if (word === 'success') gateways.approve(paymentID);
    await comeBack(`${payment.callbackURL}?paymentID=${paymentID}&status=${word}`, undefined, chance);
  };

  const attemptAtSslcommerz = async (paymentId: string, form: string, chance: Random): Promise<void> => {
    for (let times = chance.below(3); times > 0; times -= 1)
      timeline.after(chance.below(90_000), () => void notify(paymentId, form));
    await comeBack(gateways.sslcommerz.sessions.get(orderNumberOf(paymentId))?.['success_url'] ?? '', form, chance);
  };

  const actAtSslcommerz = async (paymentId: string, way: Way, chance: Random): Promise<void> => {
    const attempt = (status: string) => attemptAtSslcommerz(paymentId, gateways.attempt(paymentId, status), chance);
    if (way.startsWith('fails')) await attempt('FAILED');
    if (way === 'cancels') await attempt('CANCELLED');
    await wait(chance.below(30_000));
    if (way.includes('pays')) await attempt('VALID');
    if (way.includes('pays') && world.seed % worldsPerSecond === placeOfSecond) await payTwice(paymentId);
  };

  const payTwice = async (paymentId: string): Promise<void> => {
    const chance = randomIn(world.seed, `second payment of ${paymentId}`);
    await wait(chance.below(chance.isChance(0.5) ? 2_000 : 2 * minuteMs));
    const form = gateways.attempt(paymentId, 'VALID');
    const made: SecondPayment = { payment: paymentId, isHeard: false };
    seconds.push(made);
    await wait(chance.below(30_000));
    made.isHeard = await notify(paymentId, form);
  };

  /** The waiting page leads to the gateway as soon as that has said where. */
  const followPage = async (session: string, payment: string, chance: Random): Promise<string | undefined> => {
    const page: Request = {
      does: 'checkout/show-payment',
      routeKey: 'GET /checkout/{id}/payments/{paymentId}',
      path: { id: session, paymentId: payment },
    };
    for (let looks = 2 + chance.below(5); looks > 0; looks -= 1) {
      const url = (await ask(page)).headers['Refresh']?.replace('0; url=', '');
      if (url !== undefined) return url;
      await wait(2_000 + chance.below(8_000));
    }
    return undefined;
  };

  /** The payer does not come back, and the notification is lost. */
  const payUnseen = (payment: string, url = 'https://nowhere.example.com'): void => {
    const atBkash = new URL(url).searchParams.get('paymentID');
    if (atBkash !== null) gateways.approve(atBkash);
    else if (url.includes('sslcommerz')) gateways.attempt(payment, 'VALID');
  };

  const goThrough = async (session: string, payment: string, chance: Random): Promise<void> => {
    const way: Way = chance.pick(gateways.misreports ? payingWays : ways);
    const url = await followPage(session, payment, chance);
    await wait(way === 'pays late' ? chance.below(40 * minuteMs) : chance.below(minuteMs));
    const paymentID = new URL(url ?? 'https://nowhere.example.com').searchParams.get('paymentID');
    const isGone = way.startsWith('pays') && randomIn(world.seed, `way of ${payment}`).isChance(goneChance);
    if (isGone) return payUnseen(payment, url);
    if (paymentID !== null) await actAtBkash(paymentID, way, chance);
    else if (url?.includes('sslcommerz')) await actAtSslcommerz(payment, way, chance);
    if (url !== undefined) await followPage(session, payment, chance);
  };

  /** Pays after so long, and is not heard of again. */
  const payLate = async (session: string, payment: string, afterMs: number, chance: Random): Promise<void> => {
    const url = await followPage(session, payment, chance);
    await wait(afterMs);
    payUnseen(payment, url);
  };

  const giveUp = (session: string, payment: string) =>
    ask({
      does: 'checkout/cancel-payment',
      routeKey: 'POST /checkout/{id}/payments/{paymentId}/cancel',
      path: { id: session, paymentId: payment },
      body: '',
    });

  /** A payer whose money was not taken pays the same order at SSLCommerz once more, and says so or not. */
  const payAgain = async (paymentId: string, chance: Random): Promise<void> => {
    if (!gateways.sslcommerz.sessions.has(orderNumberOf(paymentId))) return;
    await wait(chance.below(5 * minuteMs));
    await attemptAtSslcommerz(paymentId, gateways.attempt(paymentId, 'VALID', chance.isChance(0.7)), chance);
  };

  return { goThrough, payLate, giveUp, payAgain, seconds };
};
