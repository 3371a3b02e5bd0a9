import { setTimeout as sleep } from 'node:timers/promises';
import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import type { QueueMappingSpec, QueueSpec } from './blueprint.ts';
import { startSqs } from './emulators/sqs.ts';
import { closedAfterTest, eventually, temporaryDirectory } from './emulators-fixture.ts';
import type { Invocation } from './function-instance.ts';
import { localClient } from './local-client.ts';
import { runQueueMapping } from './queue-mapping.ts';

const arn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const jobs: QueueSpec = { name: 'jobs', arn: arn('jobs'), attributes: { VisibilityTimeout: '1' } };

const succeeded: Invocation = { ok: true, payload: null };
const failed: Invocation = { ok: false, errorType: 'Error', errorMessage: 'no', reason: 'error' };
const failedAt = (...ids: string[]): Invocation => ({
  ok: true,
  payload: { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) },
});

/** A queue's messages as the emulator counts them. */
interface Inspection {
  readonly messages: { ready: object[]; delayed: object[]; inflight: { message: object }[] };
}

type Handler = (event: SQSEvent) => Invocation | Promise<Invocation>;

const startQueues = async (queues: readonly QueueSpec[] = [jobs]) => {
  const sqs = closedAfterTest(await startSqs({ dataDirectory: await temporaryDirectory(), queues }));
  const client = new SQSClient(localClient(sqs.url));
  const QueueUrl = sqs.queueUrl(queues[0]?.name ?? '');
  const send = (...bodies: string[]) =>
    client.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: bodies.map((MessageBody, index) => ({ Id: `${index}`, MessageBody })),
      }),
    );
  const left = async () => {
    const response = await fetch(`${sqs.url}/_fauxqs/queues/${queues[0]?.name}`);
    const { messages } = (await response.json()) as Inspection;
    return [...messages.ready, ...messages.delayed, ...messages.inflight.map(({ message }) => message)];
  };
  return { ...sqs, client, QueueUrl, send, left };
};

/** Runs a mapping of the first queue, and records the bodies of each batch that its function gets. */
const run = (
  { url, QueueUrl }: Awaited<ReturnType<typeof startQueues>>,
  handler: Handler,
  options: Partial<QueueMappingSpec> = {},
) => {
  const batches: string[][] = [];
  const spec: QueueMappingSpec = {
    id: 'mapping',
    functionName: 'work',
    queueArn: jobs.arn,
    batchSize: 10,
    batchWindowSeconds: 0,
    reportBatchItemFailures: true,
    ...options,
  };
  const invoke = async (functionName: string, event: unknown): Promise<Invocation> => {
    expect(functionName).toBe('work');
    const sqsEvent = event as SQSEvent;
    batches.push(sqsEvent.Records.map(({ body }) => body));
    return handler(sqsEvent);
  };
  return { batches, ...closedAfterTest(runQueueMapping(spec, { sqsUrl: url, queueUrl: QueueUrl, invoke })) };
};

test('the function gets the same event as on Lambda', async () => {
  const queues = await startQueues();
  const handler = vi.fn<Handler>(() => succeeded);
  run(queues, handler);
  const { MessageId } = await queues.client.send(
    new SendMessageCommand({
      QueueUrl: queues.QueueUrl,
      MessageBody: 'hello',
      MessageAttributes: {
        text: { DataType: 'String', StringValue: 'a' },
        bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2, 3]) },
      },
    }),
  );
  await eventually(() => expect(handler).toHaveBeenCalledOnce());
  expect(handler.mock.calls[0]?.[0]).toEqual({
    Records: [
      {
        messageId: MessageId,
        receiptHandle: expect.any(String),
        body: 'hello',
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          SenderId: expect.any(String),
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        },
        messageAttributes: {
          text: { stringValue: 'a', stringListValues: [], binaryListValues: [], dataType: 'String' },
          bytes: { binaryValue: 'AQID', stringListValues: [], binaryListValues: [], dataType: 'Binary' },
        },
        md5OfBody: '5d41402abc4b2a76b9719d911017c592',
        md5OfMessageAttributes: expect.any(String),
        eventSource: 'aws:sqs',
        eventSourceARN: jobs.arn,
        awsRegion: 'us-east-1',
      },
    ],
  });
});

test('messages of a FIFO queue arrive in order, with their group', async () => {
  const attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' };
  const queues = await startQueues([{ name: 'jobs.fifo', arn: arn('jobs.fifo'), attributes }]);
  const groups: unknown[] = [];
  const { batches } = run(queues, ({ Records }) => {
    groups.push(Records[0]?.attributes.MessageGroupId);
    return succeeded;
  });
  for (const MessageBody of ['1', '2', '3'])
    await queues.client.send(new SendMessageCommand({ QueueUrl: queues.QueueUrl, MessageBody, MessageGroupId: 'g' }));
  await eventually(() => expect(batches.flat()).toEqual(['1', '2', '3']));
  expect(new Set(groups)).toEqual(new Set(['g']));
});

test('a batch that succeeded is deleted from the queue', async () => {
  const queues = await startQueues();
  const { batches } = run(queues, () => succeeded);
  await queues.send('a', 'b', 'c');
  await eventually(async () => expect(await queues.left()).toEqual([]));
  expect(batches.flat().toSorted()).toEqual(['a', 'b', 'c']);
});

test('a batch that failed returns when its visibility timeout ends', async () => {
  const queues = await startQueues();
  const counts: string[] = [];
  run(queues, ({ Records }) => {
    counts.push(...Records.map(({ attributes }) => attributes.ApproximateReceiveCount));
    return counts.length > 1 ? succeeded : failed;
  });
  const sentMs = Date.now();
  await queues.send('again');
  await eventually(async () => expect(await queues.left()).toEqual([]));
  expect(counts).toEqual(['1', '2']);
  expect(Date.now() - sentMs).toBeGreaterThanOrEqual(1_000);
});

test('only the items of a batch that the function names return', async () => {
  const queues = await startQueues();
  await queues.send('good', 'bad', 'fine');
  let fails = true;
  const { batches } = run(queues, ({ Records }) => {
    const bad = Records.filter(({ body }) => body === 'bad' && fails);
    fails = false;
    return failedAt(...bad.map(({ messageId }) => messageId));
  });
  await eventually(async () => expect(await queues.left()).toEqual([]));
  expect(batches).toEqual([['good', 'bad', 'fine'], ['bad']]);
});

test.each<[string, unknown]>([
  ['null', null],
  ['an empty object', {}],
  ['no list', { batchItemFailures: null }],
  ['an empty list', { batchItemFailures: [] }],
])('an answer of %s means that all succeeded', async (_, payload) => {
  const queues = await startQueues();
  const { batches } = run(queues, () => ({ ok: true, payload }));
  await queues.send('a', 'b');
  await eventually(async () => expect([batches.length > 0, await queues.left()]).toEqual([true, []]));
});

test.each<[string, unknown]>([
  ['an unknown item', { batchItemFailures: [{ itemIdentifier: 'stranger' }] }],
  ['an empty item', { batchItemFailures: [{ itemIdentifier: '' }] }],
  ['a misspelt item', { batchItemFailures: [{ itemIdentifer: 'x' }] }],
  ['no object', 'done'],
])('an answer with %s means that the whole batch failed', async (_, payload) => {
  const queues = await startQueues();
  await queues.send('a', 'b');
  const { batches, close } = run(queues, () => ({ ok: true, payload }));
  await eventually(() => expect(batches[0]).toEqual(['a', 'b']));
  await close();
  expect(await queues.left()).toMatchObject([{ body: 'a' }, { body: 'b' }]);
});

test('without partial responses, the function’s answer is ignored', async () => {
  const queues = await startQueues();
  await queues.send('a');
  const { batches } = run(queues, ({ Records }) => failedAt(...Records.map(({ messageId }) => messageId)), {
    reportBatchItemFailures: false,
  });
  await eventually(async () => expect([batches.length, await queues.left()]).toEqual([1, []]));
});

test('a message that always fails goes to the dead-letter queue, the others do not', async () => {
  const policy = JSON.stringify({ deadLetterTargetArn: arn('dead'), maxReceiveCount: 2 });
  const attributes = { VisibilityTimeout: '1', RedrivePolicy: policy };
  const queues = await startQueues([
    { ...jobs, attributes },
    { name: 'dead', arn: arn('dead'), attributes: {} },
  ]);
  await queues.send('good', 'poison');
  const { batches } = run(queues, ({ Records }) =>
    failedAt(...Records.filter(({ body }) => body === 'poison').map(({ messageId }) => messageId)),
  );
  const { Messages } = await queues.client.send(
    new ReceiveMessageCommand({ QueueUrl: queues.queueUrl('dead'), WaitTimeSeconds: 20 }),
  );
  expect(Messages).toMatchObject([{ Body: 'poison' }]);
  expect(batches).toEqual([['good', 'poison'], ['poison']]);
});

test('a batching window collects more messages than one receive call returns', async () => {
  const queues = await startQueues([{ ...jobs, attributes: {} }]);
  const numbers = Array.from({ length: 30 }, (_, index) => `${index}`);
  for (let start = 0; start < 30; start += 10) await queues.send(...numbers.slice(start, start + 10));
  const { batches } = run(queues, () => succeeded, { batchSize: 25, batchWindowSeconds: 1 });
  await eventually(() => expect(batches.flat()).toHaveLength(30));
  expect(batches.map((batch) => batch.length)).toEqual([25, 5]);
  await eventually(async () => expect(await queues.left()).toEqual([]));
});

test('no more batches are in flight than the mapping allows', async () => {
  const queues = await startQueues();
  await queues.send('a', 'b', 'c', 'd', 'e', 'f');
  let [active, most] = [0, 0];
  const two = Promise.withResolvers<void>();
  const handler = async () => {
    active += 1;
    most = Math.max(most, active);
    if (active === 2) two.resolve();
    await two.promise;
    // A call's time, in which a third batch could begin.
    await queues.left();
    active -= 1;
    return succeeded;
  };
  const { batches } = run(queues, handler, { batchSize: 1, maximumConcurrency: 2 });
  await eventually(() => expect(batches).toHaveLength(6));
  expect(most).toBe(2);
});

test('closing lets the running invocation finish, and receives no more messages', async () => {
  const queues = await startQueues();
  await queues.send('running');
  const gate = Promise.withResolvers<Invocation>();
  const { batches, close } = run(queues, () => gate.promise);
  await eventually(() => expect(batches).toHaveLength(1));
  const closing = close();
  await queues.send('later');
  gate.resolve(succeeded);
  await closing;
  expect(await queues.left()).toMatchObject([{ body: 'later' }]);
  expect(batches).toEqual([['running']]);
});

test('closing waits for at most 3 seconds', async () => {
  const queues = await startQueues();
  await queues.send('endless');
  const gate = Promise.withResolvers<Invocation>();
  const { batches, close } = run(queues, () => gate.promise);
  await eventually(() => expect(batches).toHaveLength(1));
  // Timers end in their order, however busy the machine is.
  expect(await Promise.race([close().then(() => 'closed'), sleep(3_500, 'late')])).toBe('closed');
  gate.resolve(failed);
});
