import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localClient, localEndpoint } from '../infra/local/local-client.ts';
import { openDynamoDb } from '../shared/aws/dynamodb.ts';
import { itemKeys } from '../shared/table/keys.ts';
import { openTable } from '../shared/table/table.ts';
import { type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { request, startTestStack, type TestStack } from './test-stack.ts';

// Sessions that expire. The stack's clock skips to their end, so that a busy machine does not reach it too early.

const lifetimeMs = 3_600_000;
/** What a payment of 1004 takes. */
const slowMs = 4_000;
/** How long one of 1002 is pending. */
const timeoutMs = 60_000;
const open = { status: 'OPEN', paymentStatus: 'PENDING' };
const expired = { status: 'EXPIRED', paymentStatus: 'EXPIRED' };
const order = { amountMinor: 600_000, currency: 'BDT' };

let stack: TestStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await startTestStack({ environment: { CHECKOUT_SESSION_TTL: String(lifetimeMs / 1_000) } });
  merchant = await newMerchant(stack);
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
});

/** The stored status, which may differ from the one that reads show. */
const written = async (sessionId: string): Promise<unknown> => {
  const { aws } = stack.file;
  const table = openTable(openDynamoDb(localEndpoint(String(aws['dynamodb']))), String(aws['table']));
  return (await table.get(itemKeys.checkoutSession(sessionId)))?.['status'];
};

/** Sends the job that the stack's schedule sends each minute. */
const sweep = async (): Promise<void> => {
  const sqs = new SQSClient(localClient(stack.file.aws['sqs'] ?? ''));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const QueueUrl = QueueUrls.find((each) => /payments(?!.?dead)/i.test(each));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ kind: 'sweep' }) }));
  sqs.destroy();
};

const clock = () => `${stack.file.inboxUrl}/clock`;
const stackNow = async (): Promise<number> => Date.parse((await request(clock(), 'GET', {})).body.now);
const skipTo = async (timeMs: number): Promise<void> => {
  const { status, text } = await request(clock(), 'POST', {}, { skip: new Date(timeMs).toISOString() });
  expect([status, text]).toEqual([200, expect.any(String)]);
};

it('a session reads EXPIRED at once when its time is up, at every endpoint', async () => {
  const headers = { 'idempotency-key': 'order-1042' };
  const { id, expiresAt } = (await merchant.create(order, headers)).body.data;
  expect(await merchant.status(id)).toEqual(open);
  const endMs = Date.parse(expiresAt);
  expect(endMs - (await stackNow())).toBeLessThanOrEqual(lifetimeMs);
  await skipTo(endMs);
  const [status, view, replay, paying] = await Promise.all([
    merchant.status(id),
    merchant.view(id),
    merchant.create(order, headers),
    merchant.pay(id),
  ]);
  expect([status, view]).toEqual([expired, expired]);
  expect(replay.body.data).toMatchObject({ id, status: 'EXPIRED', expiresAt });
  expect([paying.status, paying.body.error.code]).toEqual([409, 'session_not_open']);
});

it('the expiry of a session is stored by a sweep, without a read', async () => {
  const { id, expiresAt } = (await merchant.create(order)).body.data;
  expect(await written(id)).toBe('OPEN');
  await skipTo(Date.parse(expiresAt));
  await sweep();
  await expect.poll(() => written(id), soon).toBe('EXPIRED');
  expect(await merchant.view(id)).toEqual(expired);
});

it('an expired session keeps the outcome of its failed payment', async () => {
  const { sessionId } = await merchant.paid(1_001);
  const failed = { paymentStatus: 'FAILED' };
  expect(await merchant.view(sessionId)).toEqual({ status: 'OPEN', ...failed });
  await skipTo((await stackNow()) + lifetimeMs);
  expect(await merchant.view(sessionId)).toEqual({ status: 'EXPIRED', ...failed });
  expect((await merchant.pay(sessionId)).body.error.code).toBe('session_not_open');
});

/** A session that has expired while a payment of it runs. On a busy machine that may not succeed at once. */
const expiredWhilePaid = async (): Promise<{ readonly id: string; readonly paidMs: number }> => {
  const { id, expiresAt } = (await merchant.create({ ...order, amountMinor: 1_004 })).body.data;
  const endMs = Date.parse(expiresAt);
  await skipTo(endMs - slowMs / 2);
  const beganMs = await stackNow();
  const { status, body } = await merchant.pay(id);
  if (status === 409) return expiredWhilePaid();
  expect([status, body.data.status]).toEqual([201, 'PENDING']);
  await expect.poll(stackNow, soon).toBeGreaterThanOrEqual(endMs);
  return { id, paidMs: beganMs + slowMs };
};

it('an expired session waits for a running payment: no new one can begin, and the running one completes it', async () => {
  const { id, paidMs } = await expiredWhilePaid();
  const status = await merchant.status(id);
  if ((await stackNow()) < paidMs) expect(status).toEqual(open);
  expect((await merchant.pay(id)).status).toBe(409);
  await expect.poll(() => merchant.view(id), soon).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
  expect(await written(id)).toBe('COMPLETED');
});

it('a payment of 1002 is pending until it and its session expire, also without a poll', async () => {
  const beganMs = await stackNow();
  const begun = await Promise.all([merchant.paid(1_002), merchant.paid(1_002)]);
  const reads = [merchant.status, merchant.view];
  const seen = () => Promise.all(begun.map(({ sessionId }, n) => reads[n]?.(sessionId)));
  const refusals = async () => {
    const answers = await Promise.all(begun.map(({ sessionId }) => merchant.pay(sessionId)));
    return answers.map(({ status, body }) => [status, body.error.code]);
  };
  expect(await seen()).toEqual([open, open]);
  expect(await refusals()).toEqual(Array(2).fill([409, 'payment_in_progress']));
  await skipTo(beganMs + timeoutMs - 10_000);
  expect(await seen()).toEqual([open, open]);
  await skipTo((await stackNow()) + 10_000);
  await expect.poll(seen, soon).toEqual([expired, expired]);
  expect(await refusals()).toEqual(Array(2).fill([409, 'session_not_open']));
  const { data } = await merchant.report();
  for (const { paymentId } of begun) {
    const reported = data.find(({ id }: { readonly id: string }) => id === paymentId);
    expect(reported).toMatchObject({ status: 'EXPIRED', mark: null });
  }
});
