import { beforeAll, expect, it } from 'vitest';
import { isSigned, type Merchant, newMerchant } from './checkout-merchant.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

// What a merchant's server does with its secret key, on a whole stack: routes, grants, the outbox and the worker of refunds.

const soon = { timeout: 20_000, interval: 200 };

let stack: SharedStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await shareTestStack();
  merchant = await newMerchant(stack);
});

const call = (method: string, path: string, body?: object) =>
  request(`${stack.file.checkoutBaseUrl}/v1${path}`, method, { authorization: `Bearer ${merchant.key}` }, body);

it('a server reads a paid session, refunds its payment, and finds both in the lists of the invoice', async () => {
  const { sessionId, paymentId } = await merchant.paid(600_000, { invoiceId: 'INV-7' });
  const { data: session } = (await call('GET', `/checkout-sessions/${sessionId}`)).body;
  expect(session).toMatchObject({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED', payments: [{ id: paymentId }] });
  const made = await call('POST', `/payments/${paymentId}/refunds`, { amountMinor: 250_000 });
  expect(made.status).toBe(201);
  const { id } = made.body.data;
  await expect.poll(async () => (await call('GET', `/refunds/${id}`)).body.data.status, soon).toBe('SUCCEEDED');
  expect((await call('GET', `/payments/${paymentId}`)).body.data.refundedMinor).toBe(250_000);
  for (const [list, listed] of [
    ['checkout-sessions', sessionId],
    ['payments', paymentId],
    ['refunds', id],
  ]) {
    const { body } = await call('GET', `/${list}?invoiceId=INV-7`);
    expect(body.data.map((row: { id: string }) => row.id)).toEqual([listed]);
  }
});

it('a server expires a session: its page says so, and one signed event follows', async () => {
  const { received, receivedEvents, secret } = await merchant.listen([204], { events: ['checkout_session.expired'] });
  const sessionId = await merchant.newSession(600_000, { metadata: { orderId: '1042' } });
  expect((await call('POST', `/checkout-sessions/${sessionId}/expire`)).body.data.status).toBe('EXPIRED');
  expect((await call('POST', `/checkout-sessions/${sessionId}/expire`)).body.error.code).toBe('session_not_open');
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
