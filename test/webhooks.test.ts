import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JsonText } from '../shared/kit/json-text.ts';
import { type Received, type Receiver, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { inFull } from './model-runs.ts';
import { soon } from './soon.ts';
import { request, type SharedStack, shareTestStack, startTestStack, type TestStack } from './test-stack.ts';

/** Content that parsing and printing would change: numbers, key order, escapes, spaces. */
const metadata = '{ "n":1.0, "order":12345678901234567890,"huge":1e400,"2":"\\u0041","1":"b","twice":1,"twice":2 }';
const mail = {
  channel: 'email',
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'It works.',
  metadata: new JsonText(metadata),
};

let stack: SharedStack;
beforeAll(async () => {
  stack = await shareTestStack();
});

const receivers: Receiver[] = [];
afterEach(async () => {
  const { body } = await stack.api('GET', '/webhooks');
  for (const { id } of body.data) await stack.api('DELETE', `/webhooks/${id}`);
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});

/** A receiver that answers with these statuses in order and repeats the last, not before `ready`, and its subscription. */
const subscription = async (statuses: readonly number[] = [200], wishes: object = {}, ready?: Promise<void>) => {
  const answers = [...statuses];
  const receiver = await startReceiver(async (response) => {
    await ready;
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
  it('receives a sent and a delivered event once each, signed, with the message as GET returns it', async () => {
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

  it('receives metadata to the letter, as every read and replay returns it', async () => {
    const { id, secret, received } = await subscription();
    const headers = { 'idempotency-key': 'verbatim' };
    const created = await stack.api('POST', '/messages', mail, headers);
    await expect.poll(() => received.length, soon).toBe(1);
    const [delivery] = received;
    expect(delivery && isSigned(delivery, secret)).toBe(true);
    const messageId = created.body.data.id;
    const texts = [
      created.text,
      delivery?.body,
      (await stack.api('POST', '/messages', mail, headers)).text,
      (await stack.api('GET', `/messages/${messageId}`)).text,
      (await stack.api('GET', '/messages?limit=1')).text,
      (await stack.api('GET', `/webhooks/${id}/logs`)).text,
    ];
    for (const text of texts) expect(text).toContain(`"metadata":${metadata},"createdAt"`);
    for (const text of texts) expect(text).toContain(messageId);
  });

  it('gets retries with the same body, none too early, has a failed delivery after five failed attempts, and another attempt when an operator resends it', async () => {
    const { id, received, read, logs } = await subscription([500, 302, 500, 500, 503, 200]);
    await send();
    await expect.poll(() => received.length, soon).toBe(5);
    await expect.poll(async () => (await read()).totalFailed, soon).toBe(1);
    expect(received).toHaveLength(5);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    const times = received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(times.every((time, n) => n === 0 || time >= (times[n - 1] ?? 0) + 1)).toBe(true);
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

  it('gets no events while it is paused, of which its admins get a mail, and new events when it is resumed', async () => {
    const admin = `${stack.file.accountId}@example.com`;
    await stack.admin('PATCH', `/accounts/${stack.file.accountId}`, { adminEmails: [admin] });
    const paused = Promise.withResolvers<void>();
    const { id, received, change, logs } = await subscription([500, 200], {}, paused.promise);
    const other = await subscription();
    await send();
    await expect.poll(() => received.length, soon).toBe(1);
    await change({ isActive: false });
    paused.resolve();
    await send();
    await expect.poll(() => other.received.length, soon).toBe(2);
    const path = `/accounts/${stack.file.accountId}/webhooks/${id}/deliveries`;
    await expect.poll(async () => (await stack.admin('GET', path)).body.data[0].state, soon).toBe('cancelled');
    await expect
      .poll(async () => (await request(`${stack.file.inboxUrl}/store?to=${admin}`, 'GET', {})).text, soon)
      .toContain('A webhook was paused');
    const attempts = async () => (await logs()).data.map((log: { attempts: number }) => log.attempts);
    await expect.poll(attempts, soon).toEqual([1]);
    await change({ isActive: true });
    const next = await send();
    await expect.poll(() => eventsIn(received).at(-1).data.message.id, soon).toBe(next);
    await expect
      .poll(async () => (await stack.admin('GET', path)).body.data, soon)
      .toMatchObject([{ state: 'succeeded' }, { state: 'cancelled', attemptsMade: 1 }]);
    expect(received).toHaveLength(2);
  });
});

// `whole-stack.test.ts` kills a stack while a target is called. The other moment is for `npm run test:long`: waiting deliveries survive in the same queue.
it.runIf(inFull)('a stack that is killed while a retry waits loses no attempt and makes no extra one', async () => {
  const statuses = [500, 500];
  const receiver = await startReceiver((response) => response.writeHead(statuses.pop() ?? 200).end());
  receivers.push(receiver);
  // Long enough that a retry still waits when the stack is killed.
  const first = await startTestStack({ environment: { WEBHOOK_RETRY_DELAYS: '5,1,1,1' } });
  const events = ['message.sent', 'message.delivered'];
  const fields = { name: 'Orders', url: `http://localhost:${receiver.port}/`, events };
  const { id } = (await first.api('POST', '/webhooks', fields)).body.data.webhook;
  const messageId = (await first.api('POST', '/messages', mail)).body.data.id;
  const logsOn = async (on: TestStack) =>
    (await on.api('GET', `/webhooks/${id}/logs`)).body.data as { readonly event: string; readonly attempts: number }[];
  const attempted = async () => (await logsOn(first)).filter(({ attempts }) => attempts === 1).length;
  await expect.poll(attempted, soon).toBe(2);
  await first.kill();
  const second = await startTestStack({ dataDirectory: first.dataDirectory, environment: {} });
  const read = async () => (await second.api('GET', `/webhooks/${id}`)).body.data;
  await expect.poll(read, soon).toMatchObject({ totalSent: 2, totalFailed: 0 });
  const logs = await logsOn(second);
  expect(logs.map(({ event }) => event).sort()).toEqual([...events].sort());
  expect(logs).toMatchObject(Array(2).fill({ attempts: 2, success: true }));
  for (const { data } of eventsIn(receiver.received)) expect(data.message.id).toBe(messageId);
  expect(new Set(eventsIn(receiver.received).map((one) => one.id)).size).toBe(2);
  expect(receiver.received).toHaveLength(4);
  await second.stop();
  second.forget();
});
