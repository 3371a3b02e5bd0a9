import { beforeAll, expect, it } from 'vitest';
import { newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// Payments in test mode (checkout specification, "Test mode") that no request settles. What begins and polls them is tested with its handlers.

const completed = { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' };
const slowMs = 4_000;
const firstCheckMs = 15_000;

let stack: SharedStack;
beforeAll(async () => {
  stack = await shareTestStack();
});

it('payments of 1003 and 1004 succeed without a poll: at the check after 15 s, and after 4 s', async () => {
  const shop = await newMerchant(stack);
  const { receivedEvents, receiver } = await shop.listen();
  const startMs = Date.now();
  const [lost, slow] = await Promise.all([shop.paid(1_003), shop.paid(1_004)]);
  const succeeded = (sessionId: string) =>
    receivedEvents().filter(({ event, data }) => event === 'payment.succeeded' && data.checkoutSessionId === sessionId);
  await expect.poll(() => succeeded(slow.sessionId), soon).toHaveLength(1);
  expect(Date.now() - startMs).toBeGreaterThanOrEqual(slowMs);
  await expect.poll(() => succeeded(lost.sessionId), soon).toHaveLength(1);
  expect(Date.now() - startMs).toBeGreaterThanOrEqual(firstCheckMs);
  for (const { sessionId } of [lost, slow]) expect(await shop.view(sessionId)).toEqual(completed);
  expect(receivedEvents()).toHaveLength(2);
  await receiver.close();
});
