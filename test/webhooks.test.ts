import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Received, type Receiver, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { request, startTestStack, type TestStack } from './test-stack.ts';

const environment = { WEBHOOK_RETRY_DELAYS: '1,1,1,1', JOB_HIDDEN_SECONDS: '8' };
const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.', metadata: { n: 1 } };
const soon = { timeout: 15_000, interval: 50 };

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ environment });
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
});

const receivers: Receiver[] = [];
afterEach(async () => {
  const { body } = await stack.api('GET', '/webhooks');
  for (const { id } of body.data) await stack.api('DELETE', `/webhooks/${id}`);
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});

/** A receiver that answers with these statuses, the last of them for ever, and its subscription. */
const subscription = async (statuses: readonly number[] = [200], wishes: object = {}) => {
  const answers = [...statuses];
  const receiver = await startReceiver((response) => {
    response.writeHead((answers.length > 1 ? answers.shift() : answers[0]) ?? 200).end('noted');
  });
  receivers.push(receiver);
  const fields = { name: 'Orders', url: `http://localhost:${receiver.port}/hooks`, events: ['message.sent'] };
  const { webhook, secret } = (await stack.api('POST', '/webhooks', { ...fields, ...wishes })).body.data;
  const id: string = webhook.id;
  return {
    id,
    secret: String(secret),
    received: receiver.received,
    read: async () => (await stack.api('GET', `/webhooks/${id}`)).body.data,
    logs: async () => (await stack.api('GET', `/webhooks/${id}/logs`)).body,
    change: (body: object) => stack.api('PATCH', `/webhooks/${id}`, body),
  };
};

const send = async (): Promise<string> => (await stack.api('POST', '/messages', mail)).body.data.id;
const eventsIn = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body));
const isSigned = ({ headers, body }: Received, secret: string): boolean => {
  const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-service-signature'])) ?? [];
  return v1 === createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
};

describe('a subscription', () => {
  it('hears of a message that was sent and delivered: signed, once each, with the message as it is read', async () => {
    const { id, secret, received, read, logs } = await subscription([200], {
      events: ['message.sent', 'message.delivered'],
    });
    const messageId = await send();
    await expect.poll(() => received.length, soon).toBe(2);
    const [sent, delivered] = eventsIn(received).sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    expect([sent.event, delivered.event]).toEqual(['message.sent', 'message.delivered']);
    const { body } = await stack.api('GET', `/messages/${messageId}`);
    expect(delivered.data.message).toEqual(body.data);
    expect(sent.data.message).toEqual({ ...body.data, status: 'sent', deliveredAt: null });
    for (const one of received) expect(isSigned(one, secret)).toBe(true);
    await expect.poll(async () => (await read()).totalSent, soon).toBe(2);
    expect(await logs()).toMatchObject({ total: 2, data: [{ webhookId: id, success: true, attempts: 1 }, {}] });
  });

  it('is tried again until it answers 2xx, not before its time, with the same body', async () => {
    const { received, read, logs } = await subscription([500, 302, 200]);
    await send();
    await expect.poll(() => received.length, soon).toBe(3);
    await expect.poll(async () => (await read()).totalSent, soon).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect((await logs()).data).toMatchObject([{ attempts: 3, statusCode: 200, success: true, responseBody: 'noted' }]);
    const times = received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times.every((time, n) => n === 0 || time >= (times[n - 1] ?? 0) + 1)).toBe(true);
  });

  it('counts as failed after five failures, and once more when an operator has it delivered again', async () => {
    const { id, received, read, logs } = await subscription([500, 500, 500, 500, 503, 200]);
    await send();
    await expect.poll(async () => (await read()).totalFailed, { timeout: 20_000, interval: 100 }).toBe(1);
    expect(received).toHaveLength(5);
    expect((await logs()).data).toMatchObject([{ attempts: 5, statusCode: 503, success: false }]);
    const path = `/accounts/${stack.file.accountId}/webhooks/${id}/deliveries`;
    const { body } = await stack.admin('GET', path);
    expect(body.data).toMatchObject([{ state: 'failed', attempts: [{}, {}, {}, {}, { statusCode: 503 }] }]);
    const resent = await stack.admin('POST', `${path}/resend-failed`, { since: '2026-01-01' });
    expect([resent.status, resent.body.data]).toEqual([202, { count: 1 }]);
    await expect.poll(async () => (await read()).totalSent, soon).toBe(1);
    expect(await read()).toMatchObject({ totalSent: 1, totalFailed: 0 });
    expect(received).toHaveLength(6);
  });

  it('gets nothing more once it is paused, of which its admins are told, and new events when it is resumed', async () => {
    await stack.admin('PATCH', `/accounts/${stack.file.accountId}`, { adminEmails: ['admin@example.com'] });
    const { received, change, logs } = await subscription([500]);
    const other = await subscription();
    await send();
    await expect.poll(() => received.length, soon).toBe(1);
    await change({ isActive: false });
    await send();
    await expect.poll(() => other.received.length, soon).toBe(2);
    await expect
      .poll(async () => (await request(`${stack.file.inboxUrl}/store`, 'GET', {})).text, soon)
      .toContain('A webhook was paused');
    const seen = received.length;
    await expect.poll(async () => (await other.logs()).total, soon).toBe(2);
    expect((await logs()).total).toBe(1);
    await change({ isActive: true });
    const next = await send();
    await expect.poll(() => eventsIn(received).at(-1).data.message.id, soon).toBe(next);
    expect(received.length).toBeGreaterThan(seen);
    expect(eventsIn(received).filter(({ data }) => data.message.id === next).length).toBeGreaterThan(0);
  });

  it('gets nothing more once it is deleted', async () => {
    const { id, received } = await subscription([500]);
    const other = await subscription([500, 500, 500, 200]);
    await send();
    await expect.poll(() => received.length, soon).toBe(1);
    expect((await stack.api('DELETE', `/webhooks/${id}`)).status).toBe(204);
    const seen = received.length;
    await expect.poll(async () => (await other.read()).totalSent, soon).toBe(1);
    expect(received.length).toBeLessThanOrEqual(seen + 1);
    expect((await stack.api('GET', `/webhooks/${id}/logs`)).body.error).toBe('webhook_not_found');
  });

  it('gets attempts signed with its new secret as soon as that is made', async () => {
    const { id, secret, received } = await subscription([500, 200]);
    await send();
    await expect.poll(() => received.length, soon).toBe(1);
    const { body } = await stack.api('POST', `/webhooks/${id}/regenerate-secret`);
    await expect.poll(() => received.length, soon).toBe(2);
    const [first, second] = received;
    expect(first && isSigned(first, secret)).toBe(true);
    expect(second && isSigned(second, body.data.secret)).toBe(true);
  });
});
