import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { type Merchant, merchantOn, newMerchant } from './checkout-merchant.ts';
import { killMoments } from './model-runs.ts';
import { soon } from './soon.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

// Kills the stack at moments between a payer's tap and the final event of their payment. No money may be lost or reported twice.

const paymentsPerRound = 10;
/** One kill at each moment: while requests run, while the stream is read, while events are delivered. */
const kills: readonly ((now: { readonly answered: number; readonly events: number }) => boolean)[] = [
  ({ answered }) => answered >= 2,
  ({ answered }) => answered >= 9,
  ({ events }) => events >= 3,
];
/** The required outcome of a payment, by its amount. */
const outcomes: Readonly<Record<number, string>> = {
  600000: 'SUCCEEDED',
  1001: 'FAILED',
  1003: 'SUCCEEDED',
  1004: 'SUCCEEDED',
};
const end = { ...soon, interval: 500 };
const amounts = Object.keys(outcomes).map(Number);

interface Payment {
  readonly id: string;
  readonly checkoutSessionId: string;
  readonly amountMinor: number;
  readonly refundableMinor: number;
  readonly status: string;
}

let receiver: Receiver;
let stack: TestStack;
beforeAll(async () => {
  [receiver, stack] = await Promise.all([startReceiver(), startTestStack()]);
});
afterAll(async () => {
  await Promise.all([receiver.close(), stack.stop()]);
  stack.forget();
});

/** A merchant whose receiver is subscribed to all events. */
const newListener = async (): Promise<Merchant> => {
  const merchant = await newMerchant(stack);
  const url = `http://localhost:${receiver.port}/`;
  await stack.admin('POST', `/accounts/${merchant.id}/checkout-webhooks`, { url });
  return merchant;
};

/** Kills the stack with SIGKILL, and starts it again. */
const crash = async (merchant: Merchant): Promise<Merchant> => {
  await stack.kill();
  stack = await startTestStack({ dataDirectory: stack.dataDirectory });
  return merchantOn(stack, merchant);
};

/** A merchant's events so far by delivery id: a repeated delivery counts once. */
const eventsOf = ({ id }: Merchant): string[] => {
  const bodies = new Map(receiver.received.map(({ headers, body }) => [headers['x-checkout-delivery'], body]));
  const events = [...bodies.values()].map((body) => JSON.parse(body)).filter(({ merchantId }) => merchantId === id);
  return events.map(({ event, data }) => `${event} ${data.refundId ?? data.paymentId} ${data.amountMinor}`).sort();
};

const dueOf = ({ id, amountMinor, status }: Payment): string => `payment.${status.toLowerCase()} ${id} ${amountMinor}`;

const sum = (values: readonly { readonly amountMinor: number }[]): number =>
  values.reduce((total, { amountMinor }) => total + amountMinor, 0);

interface Session {
  readonly id: string;
  readonly amountMinor: number;
}

/** Sessions of all simulated amounts. */
const newSessions = async (merchant: Merchant): Promise<Session[]> =>
  Promise.all(
    Array.from({ length: paymentsPerRound }, async (_, n) => {
      const amountMinor = amounts[n % amounts.length] ?? 0;
      return { id: await merchant.newSession(amountMinor), amountMinor };
    }),
  );

it('every payment ends as its amount requires and has one event, however often the stack is killed', {
  timeout: 300_000,
}, async () => {
  let merchant = await newListener();
  const sessions: Session[] = [];
  const seen: string[] = [];
  const tap = async ({ id }: Session): Promise<void> => {
    const answer = await merchant.pay(id).catch(() => undefined);
    if (answer?.status === 201) seen.push(answer.body.data.paymentId);
  };
  for (const isTime of killMoments(kills)) {
    const round = await newSessions(merchant);
    sessions.push(...round);
    // Starts the functions before the others need them.
    await Promise.all(round.splice(0, 1).map(tap));
    const before = { answered: seen.length, events: eventsOf(merchant).length };
    const now = () => ({ answered: seen.length - before.answered, events: eventsOf(merchant).length - before.events });
    const taps = round.map(tap);
    await vi.waitUntil(() => isTime(now()), { ...soon, interval: 1 });
    merchant = await crash(merchant);
    await Promise.all(taps);
  }

  const payments = async (): Promise<Payment[]> => (await merchant.report()).data;
  await expect.poll(async () => (await payments()).filter(({ status }) => status === 'PENDING'), end).toEqual([]);
  const all = await payments();
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(seen));
  for (const { amountMinor, status } of all)
    expect([amountMinor, status]).toEqual([amountMinor, outcomes[amountMinor]]);
  await expect.poll(() => eventsOf(merchant), end).toEqual(all.map(dueOf).sort());

  const statuses = await Promise.all(sessions.map(async ({ id }) => (await merchant.status(id))['status']));
  const completed = sessions.filter((_, n) => statuses[n] === 'COMPLETED');
  const succeeded = all.filter(({ status }) => status === 'SUCCEEDED');
  const paidFor = succeeded.map(({ checkoutSessionId }) => checkoutSessionId).sort();
  expect(paidFor).toEqual(completed.map(({ id }) => id).sort());
  expect(sum(succeeded)).toBe(sum(completed));
});

it('every refund is made once and has one event, when the stack is killed among them', {
  timeout: 300_000,
}, async () => {
  let merchant = await newListener();
  const paid = await Promise.all(Array.from({ length: 5 }, () => merchant.paid(600_000)));
  const seen: string[] = [];
  const ask = async (paymentId: string): Promise<void> => {
    const answer = await merchant.refund(paymentId, { amountMinor: 100_000 }).catch(() => undefined);
    if (answer?.status === 201) seen.push(answer.body.data.id);
  };
  const asks = paid.flatMap(({ paymentId }) => [ask(paymentId), ask(paymentId), ask(paymentId)]);
  await vi.waitUntil(() => seen.length >= 5, { ...soon, interval: 1 });
  merchant = await crash(merchant);
  await Promise.all(asks);

  const refunds = async () => (await Promise.all(paid.map(({ paymentId }) => merchant.refunds(paymentId)))).flat();
  await expect.poll(async () => (await refunds()).filter(({ status }) => status !== 'SUCCEEDED'), end).toEqual([]);
  const all = await refunds();
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(seen));
  const left = (await merchant.report()).data.map(({ refundableMinor }: Payment) => refundableMinor);
  expect(left.reduce((total: number, minor: number) => total + minor, 100_000 * all.length)).toBe(
    600_000 * paid.length,
  );
  await expect
    .poll(() => eventsOf(merchant).filter((line) => line.startsWith('refund')), end)
    .toEqual(all.map(({ id }) => `refund.succeeded ${id} 100000`).sort());
});
