import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { pinnedPost } from '../../../shared/providers/webhook/pinned-post.ts';
import { type Receiver, startReceiver } from '../../../shared/providers/webhook/receiver-fixture.ts';
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts';
import { call } from '../../../test/call.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { testWebhookContract } from './contract.ts';
import { testWebhook } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
let receiver: Receiver;
let status = 200;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
  receiver = await startReceiver((response) => response.writeHead(status).end('x'.repeat(3_000)));
});
afterAll(async () => {
  await receiver.close();
  await world.close();
});

const test = (id: string, isAllowed: (address: string) => boolean = () => true) =>
  call(
    endpoint(
      testWebhookContract,
      testWebhook({ ...world, webhookTarget: pinnedPost({ isAllowed }) }),
      world.webhookCallers(),
    ),
    { key: account.key, path: { id } },
  );
const subscribe = (wishes = {}) => calls.subscribe(account, { url: `http://127.0.0.1:${receiver.port}/`, ...wishes });

describe('POST /webhooks/{id}/test', () => {
  it('200 sends a test and returns its result', async () => {
    const { id, secret } = await subscribe({ name: 'Orders' });
    const { status: answered, body } = await test(id);
    expect(answered).toBe(200);
    expect(body.data).toEqual({
      success: true,
      statusCode: 200,
      responseTime: expect.any(Number),
      responseBody: 'x'.repeat(2_000),
    });
    const { headers, body: sent = '' } = receiver.received.at(-1) ?? {};
    expect(JSON.parse(sent)).toEqual({
      event: 'webhook.test',
      tenantId: account.ref.id,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { webhookId: id, webhookName: 'Orders' },
    });
    expect(headers).toMatchObject({
      'user-agent': 'Service-Webhooks/1.0',
      'x-webhook-event': 'webhook.test',
      'x-webhook-signature': createHmac('sha256', secret).update(sent).digest('hex'),
    });
    for (const name of ['x-service-signature', 'webhook-id', 'webhook-signature'])
      expect(headers).not.toHaveProperty(name);
  });

  it('429 after 120 tests of an account in a minute, whose targets keep functions waiting', async () => {
    const own = await world.newAccount();
    const { id } = await calls.subscribe(own, { url: `http://127.0.0.1:${receiver.port}/` });
    const nowMs = Date.now();
    const input = { account: own.ref, path: { id }, query: {}, body: undefined, nowMs };
    const run = testWebhook({ ...world, webhookTarget: pinnedPost({ isAllowed: () => true }) });
    await world.rates.count(`webhook tests ${own.ref.id}`, nowMs, { calls: 119, windowMinutes: 1 });
    expect(await run({ ...input, newId: newId(nowMs) })).toMatchObject({ success: true });
    await expect(run({ ...input, newId: newId(nowMs) })).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await run({ ...input, newId: newId(nowMs), nowMs: nowMs + 60_000 })).toMatchObject({ success: true });
  });

  it('200 logs and counts it', async () => {
    const { id } = await subscribe();
    await test(id);
    status = 302;
    const { body } = await test(id);
    status = 200;
    expect(body.data).toMatchObject({ success: false, statusCode: 302 });
    const webhook = await world.webhooks.find(account.ref, id);
    expect(webhook).toMatchObject({ totalSent: 1, totalFailed: 1 });
    expect(webhook?.lastFailedAt && webhook.lastSentAt).toEqual(expect.stringMatching(/Z$/));
    const logs = (await calls.logs(account.key, id)).body;
    expect(logs).toMatchObject({ total: 2 });
    expect(logs.data).toMatchObject([
      { event: 'webhook.test', statusCode: 302, success: false, attempts: 1, payload: { event: 'webhook.test' } },
      { event: 'webhook.test', statusCode: 200, success: true, attempts: 1, responseBody: 'x'.repeat(2_000) },
    ]);
  });

  it('200 tries a paused subscription too, also one that wants no events that exist', async () => {
    const { id } = await subscribe({ isActive: false, events: ['nothing'] });
    expect((await test(id)).body.data.success).toBe(true);
  });

  it('200 reports that a private target is refused, and makes no call', async () => {
    const { id } = await subscribe();
    const before = receiver.connections();
    const { body } = await test(id, isPublicAddress);
    expect(body.data).toEqual({
      success: false,
      statusCode: 0,
      responseTime: expect.any(Number),
      responseBody: 'The target is not a public address, so no request was sent.',
    });
    expect(receiver.connections()).toBe(before);
    expect(await world.webhooks.find(account.ref, id)).toMatchObject({ totalSent: 0, totalFailed: 1 });
  });

  it('404 answers an unknown, a malformed and another account’s id, and makes no call', async () => {
    const foreign = await calls.subscribe(await world.newAccount(), { url: `http://127.0.0.1:${receiver.port}/` });
    const before = receiver.connections();
    for (const id of [newId(Date.now()), 'x', foreign.id]) {
      expect((await test(id)).body).toMatchObject({ statusCode: 404, error: 'webhook_not_found' });
    }
    expect(receiver.connections()).toBe(before);
  });
});
