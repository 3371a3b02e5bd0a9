import { beforeAll, expect, it } from 'vitest';
import { isSigned, type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// What a merchant's server does with its secret key, on a whole stack: routes, grants, the outbox and the worker of refunds.

let stack: SharedStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await shareTestStack();
  merchant = await newMerchant(stack);
});

it('a server reads a paid session, refunds its payment, and finds both in the lists of the invoice', async () => {
  const { client } = merchant;
  const { sessionId, paymentId } = await merchant.paid(600_000, { invoiceId: 'INV-7' });
  const { data: session } = await client.call('GET /checkout-sessions/{id}', { path: { id: sessionId } });
  expect(session).toMatchObject({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED', payments: [{ id: paymentId }] });
  const ofPayment = { path: { id: paymentId } };
  const { data: made } = await client.call('POST /payments/{id}/refunds', {
    ...ofPayment,
    body: { amountMinor: 250_000 },
  });
  const refund = () => client.call('GET /refunds/{id}', { path: { id: made.id } });
  await expect.poll(async () => (await refund()).data.status, soon).toBe('SUCCEEDED');
  expect((await client.call('GET /payments/{id}', ofPayment)).data.refundedMinor).toBe(250_000);
  for (const [list, listed] of [
    ['GET /checkout-sessions', sessionId],
    ['GET /payments', paymentId],
    ['GET /refunds', made.id],
  ] as const) {
    const rows = client.all(list, { query: { invoiceId: 'INV-7' } });
    expect(await Array.fromAsync<{ readonly id: string }, string>(rows, ({ id }) => id)).toEqual([listed]);
  }
});

it('a server expires a session: its page says so, and one signed event follows', async () => {
  const { received, receivedEvents, secret } = await merchant.listen([204], { events: ['checkout_session.expired'] });
  const sessionId = await merchant.newSession(600_000, { metadata: { orderId: '1042' } });
  const expire = () => merchant.client.call('POST /checkout-sessions/{id}/expire', { path: { id: sessionId } });
  expect((await expire()).data.status).toBe('EXPIRED');
  await expect(expire()).rejects.toMatchObject({ status: 409, code: 'session_not_open' });
  expect(await merchant.view(sessionId)).toEqual({ status: 'EXPIRED', paymentStatus: 'EXPIRED' });
  await expect.poll(() => received.length, soon).toBe(1);
  expect(receivedEvents()).toEqual([
    {
      event: 'checkout_session.expired',
      merchantId: merchant.id,
      data: { checkoutSessionId: sessionId, metadata: { orderId: '1042' } },
    },
  ]);
  expect(received.every((each) => isSigned(each, secret))).toBe(true);
});
