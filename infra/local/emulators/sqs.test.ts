import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { QueueSpec } from '../blueprint.ts';
import { closedAfterTest, eventually, runApart, sigkill, temporaryDirectory } from '../emulators-fixture.ts';
import { freshStart } from '../fresh-start.ts';
import { localClient } from '../local-client.ts';
import { putDateAhead } from '../shifted-date.ts';
import { StartFailure } from '../start-failure.ts';
import { startSqs } from './sqs.ts';

const arn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const queue = (name: string, attributes: Record<string, string> = {}): QueueSpec => ({
  name,
  arn: arn(name),
  attributes,
});
const redrive = (target: string, maxReceiveCount: number) =>
  JSON.stringify({ deadLetterTargetArn: arn(target), maxReceiveCount });

const start = async (dataDirectory: string, queues: readonly QueueSpec[]) => {
  const sqs = await startSqs({ dataDirectory, queues });
  const client = new SQSClient({ ...localClient(sqs.url), maxAttempts: 1 });
  const receive = async (name: string, waitSeconds = 0) => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: sqs.queueUrl(name),
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages;
  };
  const send = (name: string, body: string, delaySeconds?: number) =>
    client.send(
      new SendMessageCommand({ QueueUrl: sqs.queueUrl(name), MessageBody: body, DelaySeconds: delaySeconds }),
    );
  return closedAfterTest({ ...sqs, client, receive, send });
};

afterEach(() => putDateAhead(0));

test('a queue of the template sends and receives messages under its URL', async () => {
  const sqs = await start(await temporaryDirectory(), [queue('jobs')]);
  const { QueueUrl } = await sqs.client.send(new GetQueueUrlCommand({ QueueName: 'jobs' }));
  expect(QueueUrl).toBe(sqs.queueUrl('jobs'));
  await sqs.send('jobs', 'one');
  expect(await sqs.receive('jobs')).toMatchObject([{ Body: 'one' }]);
});

test('only this machine can connect', async () => {
  const { url } = await start(await temporaryDirectory(), []);
  const outcome = await new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.2', port: Number(new URL(url).port) });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once('connect', () => resolve(socket.destroy()));
  });
  expect(outcome).toBe('ECONNREFUSED');
});

test('a delay of more than 900 seconds is refused', async () => {
  const sqs = await start(await temporaryDirectory(), [queue('jobs')]);
  await expect(sqs.send('jobs', 'late', 901)).rejects.toMatchObject({
    name: 'InvalidParameterValue',
    message: expect.stringContaining('901'),
  });
  await expect(sqs.send('jobs', 'in time', 900)).resolves.toMatchObject({ MessageId: expect.any(String) });
});

test('only the entries of a batch with too long a delay are refused', async () => {
  const sqs = await start(await temporaryDirectory(), [queue('jobs')]);
  const sendBatch = (delays: number[]) =>
    sqs.client.send(
      new SendMessageBatchCommand({
        QueueUrl: sqs.queueUrl('jobs'),
        Entries: delays.map((delay) => ({ Id: `after-${delay}`, MessageBody: `${delay}`, DelaySeconds: delay })),
      }),
    );
  expect(await sendBatch([0, 1_800])).toMatchObject({
    Successful: [{ Id: 'after-0' }],
    Failed: [{ Id: 'after-1800', Code: 'InvalidParameterValue', SenderFault: true }],
  });
  expect(await sendBatch([901])).toMatchObject({ Successful: [], Failed: [{ Id: 'after-901' }] });
  expect(await sqs.receive('jobs')).toMatchObject([{ Body: '0' }]);
});

test('a message that is made visible at once is received again, and is not lost', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start(dataDirectory, [queue('jobs')]);
  await first.send('jobs', 'again');
  const [message] = await first.receive('jobs');
  await first.client.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: first.queueUrl('jobs'),
      ReceiptHandle: message?.ReceiptHandle,
      VisibilityTimeout: 0,
    }),
  );
  await first.close();
  const second = await start(dataDirectory, [queue('jobs')]);
  expect(await second.receive('jobs', 1)).toMatchObject([
    { Body: 'again', Attributes: { ApproximateReceiveCount: '2' } },
  ]);
});

test('a message that is made visible at once is counted as visible within the same millisecond', async () => {
  const sqs = await start(await temporaryDirectory(), [queue('jobs')]);
  await sqs.send('jobs', 'again');
  const [message] = await sqs.receive('jobs');
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const QueueUrl = sqs.queueUrl('jobs');
  const { ReceiptHandle } = message ?? {};
  await sqs.client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  const { Attributes } = await sqs.client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  expect(Attributes).toMatchObject({ ApproximateNumberOfMessages: '1', ApproximateNumberOfMessagesNotVisible: '0' });
});

test('a receiver that disconnects loses no message', async () => {
  const sqs = await start(await temporaryDirectory(), [queue('jobs')]);
  const asking = request(sqs.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.ReceiveMessage' },
  });
  asking.on('error', () => undefined);
  asking.end(JSON.stringify({ QueueUrl: sqs.queueUrl('jobs'), WaitTimeSeconds: 20 }));
  const [socket] = await once(asking, 'socket');
  setTimeout(() => socket.end(), 50);
  // The service closes its side when it knows.
  await once(socket, 'close');
  await sqs.send('jobs', 'kept');
  expect(await sqs.receive('jobs', 2)).toMatchObject([{ Body: 'kept', Attributes: { ApproximateReceiveCount: '1' } }]);
});

test('a message at its maximum receive count moves to the dead-letter queue', async () => {
  const sqs = await start(await temporaryDirectory(), [
    queue('jobs', { VisibilityTimeout: '0', RedrivePolicy: redrive('jobs-dead', 2) }),
    queue('jobs-dead'),
  ]);
  await sqs.send('jobs', 'poison');
  expect(await sqs.receive('jobs')).toHaveLength(1);
  expect(await sqs.receive('jobs')).toHaveLength(1);
  expect(await sqs.receive('jobs')).toHaveLength(0);
  expect(await sqs.receive('jobs-dead')).toMatchObject([{ Body: 'poison' }]);
});

test('a message that cannot be written to its dead-letter queue is not lost', async () => {
  const dataDirectory = await temporaryDirectory();
  const queues = [
    queue('jobs', { VisibilityTimeout: '0', RedrivePolicy: redrive('jobs-dead', 1) }),
    queue('jobs-dead'),
  ];
  const sqs = await start(dataDirectory, queues);
  const file = closedAfterTest(new DatabaseSync(join(dataDirectory, 'sqs', 'fauxqs.db')));
  file.exec(`CREATE TRIGGER full BEFORE INSERT ON sqs_messages WHEN NEW.queue_name = 'jobs-dead'
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  await sqs.send('jobs', 'poison');
  expect(await sqs.receive('jobs')).toHaveLength(1);
  await expect(sqs.receive('jobs')).rejects.toThrow();
  await sqs.close();
  file.exec('DROP TRIGGER full');
  const again = await start(dataDirectory, queues);
  expect(await again.receive('jobs')).toHaveLength(0);
  expect(await again.receive('jobs-dead')).toMatchObject([{ Body: 'poison' }]);
});

test('a move task returns the messages of a dead-letter queue to their source', async () => {
  const dataDirectory = await temporaryDirectory();
  const queues = [
    queue('jobs', { VisibilityTimeout: '0', RedrivePolicy: redrive('jobs-dead', 1) }),
    queue('jobs-dead'),
    queue('other'),
  ];
  const sqs = await start(dataDirectory, queues);
  for (const body of ['a', 'b', 'c']) await sqs.send('jobs', body);
  await sqs.receive('jobs');
  await sqs.receive('jobs');
  const move = (SourceArn: string, DestinationArn?: string) =>
    sqs.client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
  await expect(move(arn('nowhere'))).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await expect(move(arn('other'))).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  expect(await move(arn('jobs-dead'), arn('other'))).toMatchObject({ TaskHandle: expect.any(String) });
  expect(await sqs.receive('other')).toMatchObject(['a', 'b', 'c'].map((Body) => ({ Body })));

  await sqs.send('jobs', 'd');
  await sqs.receive('jobs');
  await sqs.receive('jobs');
  await move(arn('jobs-dead'));
  await sqs.close();
  const restarted = await start(dataDirectory, queues);
  expect(await restarted.receive('jobs')).toMatchObject([{ Body: 'd', Attributes: { ApproximateReceiveCount: '1' } }]);
  expect(await restarted.receive('jobs-dead')).toEqual([]);
});

test('after a restart on another port, messages and delays are unchanged, and messages in flight are visible again', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await start(dataDirectory, [queue('jobs')]);
  await first.send('jobs', 'in flight');
  await first.receive('jobs');
  await first.send('jobs', 'ready');
  await first.send('jobs', 'delayed', 600);
  await first.close();

  const second = await start(dataDirectory, [queue('jobs')]);
  expect(second.url).not.toBe(first.url);
  const received = await second.receive('jobs');
  expect(received).toMatchObject([
    { Body: 'in flight', Attributes: { ApproximateReceiveCount: '2' } },
    { Body: 'ready', Attributes: { ApproximateReceiveCount: '1' } },
  ]);
  putDateAhead(600_000);
  second.catchUp(600_000, () => true);
  expect(await second.receive('jobs')).toMatchObject([{ Body: 'delayed' }]);
  const oldUrl = first.queueUrl('jobs');
  const useNewPort = new SQSClient({ ...localClient(second.url), useQueueUrlAsEndpoint: false });
  await useNewPort.send(new DeleteMessageCommand({ QueueUrl: oldUrl, ReceiptHandle: received[0]?.ReceiptHandle }));
  const { Attributes } = await second.client.send(
    new GetQueueAttributesCommand({ QueueUrl: second.queueUrl('jobs'), AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({ ApproximateNumberOfMessagesNotVisible: '2' });
});

test('an existing queue gets exactly the attributes of its new spec', async () => {
  const dataDirectory = await temporaryDirectory();
  const before = { VisibilityTimeout: '5', RedrivePolicy: redrive('dead', 1) };
  const first = await start(dataDirectory, [queue('jobs', before), queue('dead')]);
  await first.send('jobs', 'kept');
  await first.close();

  const second = await start(dataDirectory, [queue('jobs', { DelaySeconds: '7' })]);
  const { Attributes } = await second.client.send(
    new GetQueueAttributesCommand({ QueueUrl: second.queueUrl('jobs'), AttributeNames: ['All'] }),
  );
  expect(Attributes).toMatchObject({ DelaySeconds: '7', VisibilityTimeout: '30', ApproximateNumberOfMessages: '1' });
  expect(Attributes).not.toHaveProperty('RedrivePolicy');
});

test('acknowledged messages survive SIGKILL', async () => {
  const dataDirectory = await temporaryDirectory();
  const options = JSON.stringify({ dataDirectory, queues: [queue('jobs')] });
  const { child, line: url } = await runApart(`
    import { startSqs } from ${JSON.stringify(join(import.meta.dirname, 'sqs.ts'))};
    console.log((await startSqs(${options})).url);
  `);
  const client = new SQSClient(localClient(url));
  const bodies = Array.from({ length: 50 }, (_, index) => `message ${index}`);
  const QueueUrl = `${url}/000000000000/jobs`;
  await Promise.all(bodies.map((MessageBody) => client.send(new SendMessageCommand({ QueueUrl, MessageBody }))));
  await sigkill(child);

  const sqs = await start(dataDirectory, [queue('jobs')]);
  const received: unknown[] = [];
  await eventually(async () => {
    for (const { Body } of await sqs.receive('jobs')) received.push(Body);
    expect(received).toHaveLength(bodies.length);
  });
  expect(received.toSorted()).toEqual(bodies.toSorted());
});

test('an unreadable file of queues ends the start with one line', async () => {
  const dataDirectory = await temporaryDirectory();
  const first = await startSqs({ dataDirectory, queues: [] });
  await first.close();
  await writeFile(
    join(dataDirectory, 'sqs', 'fauxqs.db'),
    'not a database, but long enough to be read as one'.repeat(99),
  );
  const starting = startSqs({ dataDirectory, queues: [] });
  await expect(starting).rejects.toThrow(StartFailure);
  await expect(starting).rejects.toThrow(/^The queues in .*sqs cannot be opened \(.*\): npm start/);
  await expect(starting).rejects.toThrow(freshStart(dataDirectory));
});

test('a file of queues that a kill left empty is filled by the next start', async () => {
  const dataDirectory = await temporaryDirectory();
  await mkdir(join(dataDirectory, 'sqs'));
  await writeFile(join(dataDirectory, 'sqs', 'fauxqs.db'), '');
  const sqs = await start(dataDirectory, [queue('jobs')]);
  await sqs.send('jobs', 'one');
  expect(await sqs.receive('jobs')).toMatchObject([{ Body: 'one' }]);
});

test('after time was skipped, delayed and hidden messages are visible, and one that is worked on stays hidden', async () => {
  const sqs = await start(await temporaryDirectory(), [queue('jobs', { VisibilityTimeout: '600' })]);
  await sqs.send('jobs', 'worked on');
  const [held] = await sqs.receive('jobs');
  await sqs.send('jobs', 'failed');
  await sqs.receive('jobs');
  await sqs.send('jobs', 'delayed', 900);
  await sqs.send('jobs', 'delayed less', 60);
  const skip = (milliseconds: number) => {
    putDateAhead(milliseconds);
    return sqs.catchUp(milliseconds, (receiptHandle) => receiptHandle === held?.ReceiptHandle);
  };
  expect(skip(90_000)).toBe(1);
  expect((await sqs.receive('jobs')).map(({ Body }) => Body)).toEqual(['delayed less']);
  putDateAhead(0);
  expect(skip(3_600_000)).toBe(3);
  expect((await sqs.receive('jobs')).map(({ Body }) => Body).toSorted()).toEqual(['delayed', 'delayed less', 'failed']);
});

test('a page whose name leads to this machine can receive no messages', async () => {
  const sqs = await start(await temporaryDirectory(), [queue('jobs')]);
  await sqs.send('jobs', 'one');
  const headers = { host: 'rebound.example.com', 'x-amz-target': 'AmazonSQS.ReceiveMessage' };
  const asking = request(sqs.url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-amz-json-1.0' },
  });
  const [answer] = await once(asking.end(JSON.stringify({ QueueUrl: sqs.queueUrl('jobs') })), 'response');
  expect(answer.resume().statusCode).toBe(403);
  expect(await sqs.receive('jobs')).toMatchObject([{ Body: 'one' }]);
});
