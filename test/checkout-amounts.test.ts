import { beforeAll, describe, expect, it } from 'vitest';
import { type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// Payments in test mode: the outcome by exact amount (checkout specification, "Test mode"), and who may begin one.

const open = { status: 'OPEN', paymentStatus: 'PENDING' };
const failed = { status: 'OPEN', paymentStatus: 'FAILED' };
const completed = { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' };
const slowMs = 4_000;
const firstCheckMs = 15_000;
const returns = {
  successUrl: 'https://shop.example/thanks?s={CHECKOUT_SESSION_ID}',
  cancelUrl: 'https://shop.example',
};

let stack: SharedStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await shareTestStack();
  merchant = await newMerchant(stack);
});

const waitingScreen = (sessionId: string, paymentId: string) =>
  `${stack.file.checkoutBaseUrl}/checkout/${sessionId}/payments/${paymentId}`;

/** What is read of a payment before it ends, unless the machine was so busy that it may have ended meanwhile. */
const expectBefore = <Seen>(endMs: number, seen: Seen, expected: Seen): void => {
  if (Date.now() < endMs) expect(seen).toEqual(expected);
};

/** Tries to pay. Returns the HTTP status, and the payment's status or the refusal's code. */
const outcome = async (sessionId: string, methodId?: unknown) => {
  const { status, body } = await merchant.pay(sessionId, methodId);
  return [status, body.error?.code ?? body.data.status];
};

describe('the amount', () => {
  it.each([1, 1_005, 999_999_999_999])('%i succeeds at once', async (amountMinor) => {
    const id = await merchant.newSession(amountMinor, returns);
    expect(await merchant.status(id)).toEqual(open);
    const { status, body } = await merchant.pay(id);
    const redirectUrl = `https://shop.example/thanks?s=${id}`;
    expect([status, body.data]).toEqual([201, { paymentId: expect.any(String), status: 'SUCCEEDED', redirectUrl }]);
    expect(await merchant.view(id)).toEqual(completed);
    expect(await merchant.status(id)).toEqual(completed);
    expect(await outcome(id)).toEqual([409, 'session_not_open']);
  });

  it('1001 fails at once at every attempt; the session stays open for ten payments', async () => {
    const id = await merchant.newSession(1_001, returns);
    const answers = [];
    for (let n = 0; n < 10; n += 1) answers.push((await merchant.pay(id, merchant.methodIds[n % 3])).body.data);
    expect(await merchant.status(id)).toEqual(failed);
    expect(await outcome(id)).toEqual([409, 'session_not_open']);
    for (const answer of answers)
      expect(answer).toEqual({ paymentId: expect.any(String), status: 'FAILED', redirectUrl: 'https://shop.example' });
    expect(new Set(answers.map(({ paymentId }) => paymentId)).size).toBe(10);
  });

  it('1003 is pending until the first poll', async () => {
    const id = await merchant.newSession(1_003);
    const { body } = await merchant.pay(id);
    const { paymentId } = body.data;
    expect(body.data).toEqual({ paymentId, status: 'PENDING', redirectUrl: waitingScreen(id, paymentId) });
    expect(await merchant.view(id)).toEqual(open);
    expect(await outcome(id, merchant.methodIds[1])).toEqual([409, 'payment_in_progress']);
    expect(await merchant.status(id)).toEqual(completed);
    expect(await outcome(id)).toEqual([409, 'session_not_open']);
  });

  it('1003 and 1004 succeed without a poll: at the check after 15 s, and after 4 s', async () => {
    const shop = await newMerchant(stack);
    const { receivedEvents, receiver } = await shop.listen();
    const startMs = Date.now();
    const [lost, slow] = await Promise.all([shop.paid(1_003), shop.paid(1_004)]);
    const succeeded = (sessionId: string) =>
      receivedEvents().filter(
        ({ event, data }) => event === 'payment.succeeded' && data.checkoutSessionId === sessionId,
      );
    await expect.poll(() => succeeded(slow.sessionId), soon).toHaveLength(1);
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(slowMs);
    await expect.poll(() => succeeded(lost.sessionId), soon).toHaveLength(1);
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(firstCheckMs);
    for (const { sessionId } of [lost, slow]) expect(await shop.view(sessionId)).toEqual(completed);
    expect(receivedEvents()).toHaveLength(2);
    await receiver.close();
  });

  it('1004 succeeds at a poll, and no other payment can begin before', async () => {
    const startMs = Date.now();
    const { sessionId, paymentId } = await merchant.paid(1_004);
    expectBefore(startMs + slowMs, await merchant.status(sessionId), open);
    expectBefore(startMs + slowMs, await outcome(sessionId, merchant.methodIds[2]), [409, 'payment_in_progress']);
    await expect.poll(() => merchant.status(sessionId), { ...soon, interval: 500 }).toEqual(completed);
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(slowMs);
    const { data } = await merchant.report();
    const ours = data.filter(({ checkoutSessionId }: { checkoutSessionId: string }) => checkoutSessionId === sessionId);
    expect(ours).toMatchObject([{ id: paymentId, status: 'SUCCEEDED', amountMinor: 1_004 }]);
  });
});
