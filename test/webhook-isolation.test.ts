import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localClient, localEndpoint } from '../infra/local/local-client.ts';
import { openAwsService } from '../shared/aws/aws-service.ts';
import { openDynamoDb } from '../shared/aws/dynamodb.ts';
import { openQueue } from '../shared/aws/queue.ts';
import { openVault } from '../shared/aws/vault.ts';
import { type Receiver, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { keyRingStore } from '../shared/table/accounts/key-ring-store.ts';
import { messageStore } from '../shared/table/messages/message-store.ts';
import { spreadStore } from '../shared/table/messages/spread-store.ts';
import { openTable } from '../shared/table/table.ts';
import { eventStore } from '../shared/table/webhooks/event-store.ts';
import { webhookStore } from '../shared/table/webhooks/webhook-store.ts';
import type { DeliveryJob } from '../shared/webhooks/jobs.ts';
import { messageEvent } from '../shared/webhooks/payload.ts';
import { eventPublisher } from '../shared/webhooks/publish.ts';
import { inFull } from './model-runs.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// The test writes and queues events as `publish-events` does, so that it measures the delivery only. It measures time, so it runs only with
// `npm run test:long`; the rules that isolate targets are tested with `attempt-delivery`.

const perSecond = Number(process.env['EVENTS_PER_SECOND'] ?? 10);
const warmUps = 4 * perSecond;
const promisedMs = Number(process.env['PROMISED_MS'] ?? 10_000);

let stack: SharedStack;
let healthy: Receiver;
let hanging: Receiver;
const arrivals = new Map<string, number>();

beforeAll(async () => {
  stack = await shareTestStack();
  healthy = await startReceiver((response, { body }) => {
    arrivals.set(JSON.parse(body).createdAt, Date.now());
    response.end();
  });
  hanging = await startReceiver(() => undefined);
});
afterAll(async () => {
  await Promise.all([healthy.close(), hanging.close()]);
});

const subscribe = async ({ port }: Receiver): Promise<void> => {
  const fields = { name: 'n', url: `http://localhost:${port}/`, events: ['message.failed'] };
  expect((await stack.api('POST', '/webhooks', fields)).status).toBe(201);
};

/** Stores and queues events for all subscriptions. Each has its own message and time, which identify it. */
const eventMaker = async (most: number) => {
  const { aws, accountId } = stack.file;
  const table = openTable(openDynamoDb(localEndpoint(String(aws['dynamodb']))), String(aws['table']));
  const vault = openVault(openAwsService('kms', localEndpoint(String(aws['kms']))), keyRingStore(table));
  const sqs = new SQSClient(localClient(String(aws['sqs'])));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const url = QueueUrls.find((one) => /-webhookdeliveries[0-9A-F]{8}$/.test(one)) ?? '';
  const queue = openQueue<DeliveryJob>(openAwsService('sqs', localEndpoint(String(aws['sqs']))), url);
  const messages = messageStore(table, vault, spreadStore(table));
  const listeners = await webhookStore(table, vault, 'messaging').listeners(accountId);
  const { audienceOf, publish } = eventPublisher({
    accounts: { refOf: async () => listeners[0]?.account },
    webhooks: { listeners: async () => listeners },
    events: eventStore(table, vault, 'messaging'),
    webhookDeliveriesQueue: queue,
  });
  const messageIds: string[] = [];
  for (let n = 0; n < most; n += 1) {
    const mail = { channel: 'email', to: 'ada@example.com', subject: 's', text: 't' };
    const sent = await stack.api('POST', '/messages', mail);
    messageIds.push(sent.body.data.id);
  }
  return async (atMs: number): Promise<void> => {
    const id = messageIds.pop() ?? '';
    const audience = await audienceOf(accountId);
    const message = await messages.find(audience.account, id, 'email');
    await publish(audience, [message ? messageEvent('message.failed', message, atMs) : expect.fail()]);
  };
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

it.runIf(inFull)(
  `brings ${perSecond} events a second to a healthy target before the first attempt at a hanging target times out`,
  async () => {
    await subscribe(healthy);
    const warmUp = await eventMaker(warmUps);
    for (let n = 0; n < warmUps; n += 1) await warmUp(Date.now());
    await expect.poll(() => arrivals.size, soon).toBe(warmUps);
    arrivals.clear();

    await subscribe(hanging);
    const makeEvent = await eventMaker(5 * perSecond);
    const startMs = Date.now();
    const made: Promise<void>[] = [];
    for (let n = 0; n < 5 * perSecond; n += 1) {
      await pause(startMs + (n * 1_000) / perSecond - Date.now());
      made.push(makeEvent(startMs + (n * 1_000) / perSecond));
    }
    await Promise.all(made);
    await expect.poll(() => arrivals.size, soon).toBe(made.length);
    const lags = [...arrivals].map(([createdAt, arrivedMs]) => arrivedMs - Date.parse(createdAt)).sort((a, b) => a - b);
    expect(hanging.received.length).toBeGreaterThan(0);
    expect(lags.at(-1)).toBeLessThan(promisedMs);
  },
);
