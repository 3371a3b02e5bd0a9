import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localClient, localPlace } from '../infra/local/local-client.ts';
import { openDynamoDb } from '../shared/aws/dynamodb.ts';
import { itemKeys } from '../shared/table/keys.ts';
import { openTable } from '../shared/table/table.ts';
import { type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

// Sessions that expire after three seconds.

const lifetimeMs = 3_000;
const open = { status: 'OPEN', paymentStatus: 'PENDING' };
const expired = { status: 'EXPIRED', paymentStatus: 'EXPIRED' };
const order = { amountMinor: 600_000, currency: 'BDT' };

let stack: TestStack;
let merchant: Merchant;
beforeAll(async () => {
  stack = await startTestStack({ environment: { CHECKOUT_SESSION_TTL: String(lifetimeMs / 1_000) } });
  merchant = await newMerchant(stack);
  // Starts each function now, because its first call is slow and the tests depend on time.
  const { sessionId } = await merchant.paid(600_000);
  await Promise.all([merchant.status(sessionId), merchant.view(sessionId)]);
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
});

/** The stored status, which may differ from the one that reads show. */
const written = async (sessionId: string): Promise<unknown> => {
  const { aws } = stack.file;
  const table = openTable(openDynamoDb(localPlace(String(aws['dynamodb']))), String(aws['table']));
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

const until = (time: number) => new Promise((resolve) => setTimeout(resolve, time - Date.now()));

it('a session reads EXPIRED at once when its time is up, at every endpoint', async () => {
  const headers = { 'idempotency-key': 'order-1042' };
  const { id, expiresAt } = (await merchant.create(order, headers)).body.data;
  expect(await merchant.status(id)).toEqual(open);
  const endMs = Date.parse(expiresAt);
  expect(endMs - Date.now()).toBeLessThanOrEqual(lifetimeMs);
  await until(endMs);
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
  await until(Date.parse(expiresAt));
  await sweep();
  await expect.poll(() => written(id), soon).toBe('EXPIRED');
  expect(await merchant.view(id)).toEqual(expired);
});

it('an expired session keeps the outcome of its failed payment', async () => {
  const { sessionId } = await merchant.paid(1_001);
  const failed = { paymentStatus: 'FAILED' };
  expect(await merchant.view(sessionId)).toEqual({ status: 'OPEN', ...failed });
  await expect.poll(() => merchant.view(sessionId), soon).toEqual({ status: 'EXPIRED', ...failed });
  expect((await merchant.pay(sessionId)).body.error.code).toBe('session_not_open');
});

it('an expired session waits for a running payment: no new one can begin, and the running one completes it', async () => {
  const { id, expiresAt } = (await merchant.create({ ...order, amountMinor: 1_004 })).body.data;
  // Late enough that the payment, which takes four seconds, is running when the session expires.
  await until(Date.parse(expiresAt) - 2_000);
  expect((await merchant.pay(id)).body.data.status).toBe('PENDING');
  await until(Date.parse(expiresAt));
  expect(await merchant.status(id)).toEqual(open);
  expect((await merchant.pay(id)).status).toBe(409);
  await expect.poll(() => merchant.view(id), soon).toEqual({ status: 'COMPLETED', paymentStatus: 'SUCCEEDED' });
  expect(await written(id)).toBe('COMPLETED');
});
