import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { startDynamodb } from '../infra/local/emulators/dynamodb.ts';
import { startDynamodbFaults } from './dynamodb-faults.ts';
import { killMoments, modelFaults } from './model-runs.ts';
import { soon } from './soon.ts';
import { newDataDirectory, startTestStack, type TestStack } from './test-stack.ts';

// Kills the stack at moments between accepting a message and its final status, over a table that loses answers, conflicts and
// throttles. No accepted message may be lost, and no count may be wrong.

const sendsPerRound = 15;
/** One kill at each moment: while requests run, while the stream is read, while webhooks are delivered. */
const kills: readonly { readonly of: 'accepted' | 'events'; readonly atLeast: number }[] = [
  { of: 'accepted', atLeast: 1 },
  { of: 'accepted', atLeast: 5 },
  { of: 'accepted', atLeast: 10 },
  { of: 'events', atLeast: 1 },
];
/** The month may end during the test. */
const begun = new Date().toISOString();

interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly message: { readonly id: string } };
}

const receivedEvents: ReceivedEvent[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    receivedEvents.push(JSON.parse(body));
    response.end();
  });
});

let url: string;
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => receiver.close());

const send = (stack: TestStack, n: number) =>
  stack
    .api('POST', '/messages', {
      channel: 'email',
      to: `reader${n % 3}@example.com`,
      subject: 'Hello',
      text: `No. ${n}`,
    })
    .then(({ status, body }) => (status === 201 ? [String(body.data.id)] : []))
    .catch(() => []);

const allMessages = async (stack: TestStack) =>
  (await stack.api('GET', '/messages?limit=100')).body.data as { id: string; status: string }[];

it('the stack loses no message and counts right, however often it is killed', async () => {
  const dataDirectory = newDataDirectory();
  const dynamodb = await startDynamodb({ dataDirectory, tables: [] });
  const faults = await startDynamodbFaults({ url: dynamodb.url, ...modelFaults });
  onTestFinished(async () => {
    await faults.close();
    await dynamodb.close();
  });
  const start = () => startTestStack({ dataDirectory, environment: { DYNAMODB_ENDPOINT: faults.url } });
  let stack = await start();
  const { webhook } = (
    await stack.api('POST', '/webhooks', {
      name: 'crash',
      url,
      events: ['message.sent', 'message.delivered', 'message.failed'],
    })
  ).body.data;

  const accepted: string[] = [];
  for (const { of, atLeast } of killMoments(kills)) {
    const before = { accepted: accepted.length, events: receivedEvents.length };
    const now = () => ({
      accepted: accepted.length - before.accepted,
      events: receivedEvents.length - before.events,
    });
    const sends = Array.from({ length: sendsPerRound }, (_, n) => send(stack, n).then((ids) => accepted.push(...ids)));
    const answered = Promise.all(sends);
    let areAnswered = false;
    answered.then(() => {
      areAnswered = true;
    });
    // On a busy machine, too few of a round may be accepted.
    const isMissed = () => areAnswered && (of === 'accepted' || now().accepted === 0);
    await vi.waitUntil(() => now()[of] >= atLeast || isMissed(), { ...soon, interval: 1 });
    await stack.kill();
    await answered;
    stack = await start();
  }

  const end = { ...soon, interval: 500 };
  // Every message reaches a final status: a send that was cut off before SES answered is delivered or given up.
  await expect
    .poll(async () => (await allMessages(stack)).filter(({ status }) => !/delivered|failed/.test(status)), end)
    .toEqual([]);
  const messages = await allMessages(stack);
  expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted));

  const due = messages.flatMap(({ id, status }) =>
    status === 'failed' ? [`message.failed ${id}`] : [`message.sent ${id}`, `message.delivered ${id}`],
  );
  const seenEvents = () => new Set(receivedEvents.map(({ event, data }) => `${event} ${data.message.id}`));
  await expect.poll(() => due.filter((event) => !seenEvents().has(event)), end).toEqual([]);

  const events = new Set(receivedEvents.map(({ id }) => id)).size;
  await expect
    .poll(async () => (await stack.api('GET', `/webhooks/${webhook.id}`)).body.data.totalSent, end)
    .toBe(events);
  const logs = await stack.api('GET', `/webhooks/${webhook.id}/logs?limit=1`);
  expect(logs.body.total).toBe(events);

  const recount = (pattern: RegExp) => messages.filter(({ status }) => pattern.test(status)).length;
  await expect
    .poll(async () => (await stack.api('GET', `/analytics/messages?startDate=${begun}`)).body.data.channels.email, end)
    .toMatchObject({ total: messages.length, delivered: recount(/delivered/), failed: recount(/failed/) });
  const spent = 10_000 - (await stack.admin('GET', `/accounts/${stack.file.accountId}/credits`)).body.data.email;
  expect(spent).toBe(recount(/delivered/));
  await stack.stop();
  stack.forget();
});
