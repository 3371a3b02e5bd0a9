import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JsonText, jsonOf } from '../shared/kit/json-text.ts';
import { startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { isSigned, type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// The events that a merchant's server receives (checkout specification, "Events").

/** Content that a careless copy would change: names with a meaning in JavaScript, key order, JSON escapes. */
const metadata = new JsonText(
  '{ "orderId":"1042", "বই":"দুটি 📚 \\u0995","empty":"","__proto__":"x","toString":"y","b":"\\"\\\\\\/\\u2028\\u0000","2":"z","1":"" }',
);

let stack: SharedStack;
beforeAll(async () => {
  stack = await shareTestStack();
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const listen = async (merchant: Merchant, statuses?: readonly number[], wishes?: object) => {
  const listener = await merchant.listen(statuses, wishes);
  opened.push(listener.receiver);
  return listener;
};

describe('a checkout subscription', () => {
  it('201 shows its secret once', async () => {
    const merchant = await newMerchant(stack);
    const { created, secret, webhookId } = await listen(merchant);
    expect(secret).toMatch(/^[0-9a-f]{48}$/);
    expect(created).toMatchObject({ id: webhookId, isActive: true, totalSent: 0, totalFailed: 0 });
    const { status, text, body } = await stack.admin('GET', `/accounts/${merchant.id}/checkout-webhooks`);
    expect([status, body.data]).toMatchObject([200, [{ id: webhookId }]]);
    expect(text).not.toContain(secret);
  });

  it('receives a success and a failure once each, signed and to the letter', async () => {
    const merchant = await newMerchant(stack);
    const { received, secret } = await listen(merchant);
    const paid = await merchant.paid(600_000, { metadata });
    await expect.poll(() => received.length, soon).toBe(1);
    const declined = await merchant.paid(1_001);
    await expect.poll(() => received.length, soon).toBe(2);
    const expected = [
      ['payment.succeeded', paid, 600_000, metadata],
      ['payment.failed', declined, 1_001, new JsonText('{}')],
    ] as const;
    expected.forEach(([event, { sessionId, paymentId }, amountMinor, map], n) => {
      const request = received[n];
      if (!request) throw new Error('no request arrived');
      const data = { paymentId, checkoutSessionId: sessionId, amountMinor, currency: 'BDT', metadata: map };
      expect(request.body).toBe(jsonOf({ event, merchantId: merchant.id, data }));
      expect(isSigned(request, secret)).toBe(true);
      expect([request.method, request.url]).toEqual(['POST', '/hooks']);
      expect(request.headers).toMatchObject({
        'content-type': expect.stringContaining('application/json'),
        'x-checkout-event': event,
        'x-checkout-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
        'x-checkout-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(Object.keys(request.headers).filter((name) => name.startsWith('x-service'))).toEqual([
        'x-service-sequence',
      ]);
    });
    expect(received[0]?.headers['x-checkout-delivery']).not.toBe(received[1]?.headers['x-checkout-delivery']);
  });

  it('receives only its own event types, and no event of another merchant', async () => {
    const [merchant, stranger] = await Promise.all([newMerchant(stack), newMerchant(stack)]);
    const failures = await listen(merchant, [204], { events: ['payment.failed'] });
    const everything = await listen(merchant);
    const foreign = await listen(stranger);
    await merchant.paid(600_000);
    const { paymentId } = await merchant.paid(1_001);
    await stranger.paid(700_000);
    await expect.poll(() => [everything.received.length, foreign.received.length], soon).toEqual([2, 1]);
    await expect.poll(() => failures.received.length, soon).toBe(1);
    expect(failures.receivedEvents()[0]).toMatchObject({ event: 'payment.failed', data: { paymentId } });
    expect(foreign.receivedEvents()[0].merchantId).toBe(stranger.id);
  });

  it('receives five attempts under the same delivery id, all of which are listed; 202 resends a failed delivery unchanged', async () => {
    const merchant = await newMerchant(stack);
    // 0: the target does not answer.
    const statuses = [500, 302, 0, 404, 500, 204];
    const { received, secret, webhookId, deliveries, resend } = await listen(merchant, statuses);
    const { paymentId } = await merchant.paid(600_000, { metadata });
    await expect.poll(async () => (await deliveries())[0]?.state, soon).toBe('failed');
    expect(received).toHaveLength(5);
    const [{ id }] = await deliveries();
    expect((await resend(id)).status).toBe(202);
    await expect.poll(async () => (await deliveries())[0].state, soon).toBe('succeeded');
    expect(new Set(received.map(({ headers }) => headers['x-checkout-delivery'])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const request of received) expect(isSigned(request, secret)).toBe(true);
    expect(JSON.parse(received[5]?.body ?? '').data.paymentId).toBe(paymentId);
    const [delivery, ...others] = await deliveries();
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ webhookId, event: 'payment.succeeded', state: 'succeeded' });
    expect(delivery.attempts.map(({ statusCode }: { statusCode: number }) => statusCode)).toEqual(statuses);
    expect(JSON.stringify(delivery)).not.toContain('1042');
    expect((await resend(paymentId)).status).toBe(404);
  });
});

it('and a subscription of messaging neither receive nor see each other’s events', async () => {
  const merchant = await newMerchant(stack);
  const events = ['payment.succeeded', 'payment.failed', 'refund.succeeded', 'message.sent'];
  const wish = { name: 'all', scopes: ['webhooks:manage', 'messages:send'] };
  const { key } = (await stack.admin('POST', `/accounts/${merchant.id}/api-keys`, wish)).body.data;
  await stack.admin('PUT', `/accounts/${merchant.id}/credits`, { email: 9, smsMasked: 0, smsNonMasked: 0 });
  const messaging = (method: string, path: string, body?: unknown) =>
    stack.api(method, path, body, { 'x-api-key': key });
  const [receiver, checkout] = [await startReceiver(), await listen(merchant)];
  opened.push(receiver);
  const url = `http://localhost:${receiver.port}/`;
  const { webhook } = (await messaging('POST', '/webhooks', { name: 'n', url, events })).body.data;
  await merchant.paid(600_000);
  await expect.poll(() => checkout.received.length, soon).toBe(1);
  await messaging('POST', '/messages', {
    channel: 'email',
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'It works.',
  });
  await expect.poll(() => receiver.received.length, soon).toBe(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '').event).toBe('message.sent');
  const ids = async (answer: ReturnType<typeof messaging>) =>
    (await answer).body.data.map(({ id }: { id: string }) => id);
  expect(await ids(messaging('GET', '/webhooks'))).toEqual([webhook.id]);
  expect(await ids(stack.admin('GET', `/accounts/${merchant.id}/checkout-webhooks`))).toEqual([checkout.webhookId]);
  for (const [method, path] of [
    ['GET', `/webhooks/${checkout.webhookId}`],
    ['DELETE', `/webhooks/${checkout.webhookId}`],
    ['POST', `/webhooks/${checkout.webhookId}/regenerate-secret`],
  ] as const) {
    expect((await messaging(method, path)).status).toBe(404);
  }
  expect(checkout.received).toHaveLength(1);
});
