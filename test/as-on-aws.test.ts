import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBkash } from '../shared/providers/gateways/bkash-fixture.ts';
import { startSslcommerz } from '../shared/providers/gateways/sslcommerz-fixture.ts';
import { startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { inFull } from './model-runs.ts';
import { credentials } from './real-checkout.ts';
import { soon } from './soon.ts';
import { request, startTestStack, type TestStack } from './test-stack.ts';

// The whole stack as on AWS: its emulators conflict and throttle as AWS does, live keys pay at the gateways, which are local fake servers, and webhooks
// go to public targets only.

// Calls at the same time are as many processes of the function.
const callers = inFull ? 30 : 8;
const emailsEach = inFull ? 10 : 2;

let sslcommerz: Awaited<ReturnType<typeof startSslcommerz>>;
let bkash: Awaited<ReturnType<typeof startBkash>>;
let stack: TestStack;
let methodIds: Readonly<Record<string, string>>;
beforeAll(async () => {
  [sslcommerz, bkash] = await Promise.all([startSslcommerz(credentials.sslcommerz), startBkash(credentials.bkash)]);
  stack = await startTestStack({
    arguments: ['--aws-limits', '--webhook-targets', 'public'],
    environment: { SSLCOMMERZ_URL: sslcommerz.url, BKASH_URL: bkash.url, WEBHOOK_RETRY_DELAYS: '600' },
  });
  const path = `/accounts/${stack.file.accountId}/checkout-methods`;
  const wishes = (['sslcommerz', 'bkash'] as const).map((gatewayCode, sortOrder) => ({
    ...{ gatewayCode, sortOrder, displayLabel: gatewayCode, livemode: true, enabled: true },
    credentials: credentials[gatewayCode],
  }));
  const { body } = await stack.admin('PUT', path, wishes);
  methodIds = Object.fromEntries(
    body.data.map((method: { gatewayCode: string; acceptanceMethodId: string }) => [
      method.gatewayCode,
      method.acceptanceMethodId,
    ]),
  );
});
afterAll(async () => {
  await Promise.all([stack.stop(), sslcommerz.close(), bkash.close()]);
  stack.forget();
});

const checkout = (method: string, path: string, body?: unknown) =>
  request(
    `${stack.file.checkoutBaseUrl}${path}`,
    method,
    { authorization: `Bearer ${stack.file.keys.checkoutSecretLive}` },
    body,
  );

/** Begins a payment of a new session. Returns the session's id and its status. */
const begin = async (gatewayCode: 'sslcommerz' | 'bkash') => {
  const { id } = (await checkout('POST', '/v1/checkout-sessions', { amountMinor: 600_000, currency: 'BDT' })).body.data;
  const acceptanceMethodId = methodIds[gatewayCode];
  const begun = await checkout('POST', `/v1/public/checkout-sessions/${id}/payments`, { acceptanceMethodId });
  expect(begun.status).toBe(201);
  const status = async () => (await checkout('GET', `/v1/public/checkout-sessions/${id}/status`)).body.data;
  return { id: String(id), status };
};

describe('a live payment', () => {
  it('by SSLCommerz ends with the notification, however often it is repeated', async () => {
    const { status } = await begin('sslcommerz');
    const form = await vi.waitUntil(() => [...sslcommerz.sessions.values()].at(-1), soon);
    const body = sslcommerz.attempt(String(form['tran_id']), 'VALID');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (let n = 0; n < 3; n += 1) {
      expect((await fetch(String(form['ipn_url']), { method: 'POST', headers, body })).status).toBe(200);
    }
    await vi.waitFor(async () => {
      expect(await status()).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
    }, soon);
    const back = await fetch(String(form['success_url']), { method: 'POST', headers, body, redirect: 'manual' });
    expect([back.status, back.headers.get('location')]).toEqual([303, expect.stringContaining('/checkout/')]);
  });

  it('by bKash ends with the payer’s return', async () => {
    const { id, status } = await begin('bkash');
    const create = await vi.waitUntil(() => bkash.callsOf('/checkout/create').at(-1), soon);
    const { callbackURL } = JSON.parse(create.body);
    const payment = await vi.waitUntil(() => bkash.paymentWith(callbackURL), soon);
    expect(await status()).toEqual({ status: 'OPEN', paymentStatus: 'PENDING' });
    const back = await fetch(bkash.approve(payment.paymentID), { redirect: 'manual' });
    expect([back.status, back.headers.get('location')]).toEqual([
      303,
      expect.stringContaining(`/checkout/${id}/payments/`),
    ]);
    await vi.waitFor(async () => {
      expect(await status()).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
    }, soon);
    expect(bkash.callsOf('/checkout/execute')).toHaveLength(1);
  });

  it('leaves no credential in the logs', () => {
    const logs = globSync(join(stack.dataDirectory, 'logs', '**', '*'), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
      .join('');
    expect(logs).toContain('gateway called');
    for (const secret of [credentials.sslcommerz.storePassword, ...Object.values(credentials.bkash).slice(1)]) {
      expect(logs).not.toContain(secret);
    }
  });
});

const credits = async (): Promise<number> =>
  (await stack.admin('GET', `/accounts/${stack.file.accountId}/credits`)).body.data.email;

const send = async (n: number): ReturnType<TestStack['api']> => {
  const email = { channel: 'email', to: `person-${n}@example.com`, subject: 'Hello', text: 'It works.' };
  const answer = await stack.api('POST', '/messages', email, { 'idempotency-key': `email ${n}` });
  // On a busy machine, API Gateway may answer for the function, which had no time to and then holds the key for a while.
  const isOfGateway = answer.body.message !== undefined && [429, 503].includes(answer.status);
  if (!isOfGateway && answer.body.error?.code !== 'idempotency_conflict') return answer;
  await sleep(1_000);
  return send(n);
};

/** The ids of all messages, newest first. */
const kept = (): Promise<string[]> =>
  Array.fromAsync(stack.client.all('GET /messages', { query: { limit: 100 } }), ({ id }) => id);

it(`accepts each of ${callers * emailsEach} emails from ${callers} parallel callers, or refuses it with Retry-After and keeps nothing; messages and credits are exact`, {
  timeout: 300_000,
}, async () => {
  const before = await credits();
  const each = Array.from({ length: callers }, async (_, caller) => {
    const answers = [];
    for (let n = 0; n < emailsEach; n += 1) answers.push(await send(caller * emailsEach + n));
    return answers;
  });
  const answers = (await Promise.all(each)).flat();
  const accepted = answers.filter(({ status }) => status === 201);
  for (const { status, headers } of answers.filter(({ status: one }) => one !== 201)) {
    expect([429, 503]).toContain(status);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(accepted.length).toBeGreaterThan(answers.length / 2);
  expect((await kept()).sort()).toEqual(accepted.map(({ body }) => body.data.id).sort());
  expect(await credits()).toBe(before - accepted.length);
});

it('no delivery goes to a private target where only public ones are allowed', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const urls = [
    `http://127.0.0.1:${receiver.port}/`,
    `http://localhost:${receiver.port}/`,
    `http://[::ffff:127.0.0.1]:${receiver.port}/`,
  ];
  const ids: string[] = [];
  for (const url of urls) {
    const created = await stack.api('POST', '/webhooks', { name: 'n', url, events: ['message.sent'] });
    expect(created.status).toBe(201);
    ids.push(created.body.data.webhook.id);
  }
  await stack.api('POST', '/messages', {
    channel: 'email',
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'It works.',
  });
  const refusal = {
    success: false,
    statusCode: 0,
    responseBody: 'The target is not a public address, so no request was sent.',
  };
  for (const id of ids) {
    expect((await stack.api('POST', `/webhooks/${id}/test`)).body.data).toMatchObject(refusal);
    const events = async () => (await stack.api('GET', `/webhooks/${id}/logs`)).body.data;
    await expect
      .poll(async () => (await events()).find(({ event }: { event: string }) => event === 'message.sent'), soon)
      .toMatchObject({ ...refusal, attempts: 1 });
  }
  expect(receiver.connections()).toBe(0);
});
