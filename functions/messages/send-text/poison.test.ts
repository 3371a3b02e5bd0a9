import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { QueueSpec } from '../../../infra/local/blueprint.ts';
import { startSqs } from '../../../infra/local/emulators/sqs.ts';
import { closedAfterTest, temporaryDirectory } from '../../../infra/local/emulators-fixture.ts';
import type { Invoke } from '../../../infra/local/invocation.ts';
import { localClient, localEndpoint } from '../../../infra/local/local-client.ts';
import { runQueueMapping } from '../../../infra/local/queue-mapping.ts';
import { openAwsService } from '../../../shared/aws/aws-service.ts';
import { openQueue } from '../../../shared/aws/queue.ts';
import { endJob, type TextJob } from '../../../shared/messages/jobs.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { acceptedText } from '../../../test/accepted-message.ts';
import { contextWith } from '../../../test/lambda-context.ts';
import { soon } from '../../../test/soon.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { endSend } from '../end-interrupted-send/end-send-fixture.ts';
import { accepted, newBench } from './send-text-fixture.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Retries take their time, and more of it on a busy machine. */
const eventually = <Result>(check: () => Promise<Result>) => vi.waitFor(check, { ...soon, interval: 50 });

const arn = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const queue = (name: string, deadLetters?: string, maxReceiveCount?: number): QueueSpec => ({
  name,
  arn: arn(name),
  attributes: {
    VisibilityTimeout: '1',
    ...(deadLetters && {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn(deadLetters), maxReceiveCount }),
    }),
  },
});

it('a poisoned text holds up no other, and ends as one that its provider may have taken; a job that says nothing is parked', async () => {
  const account = await world.newAccount({ credits: { smsMasked: 30 } });
  const jobs = await Promise.all(Array.from({ length: 30 }, () => acceptedText(world, account)));
  const [poisoned] = jobs.splice(15, 1);
  if (!poisoned) throw new Error('there is no such job');
  const queues = [queue('parked'), queue('interrupted-sends', 'parked', 4), queue('sms', 'interrupted-sends', 2)];
  const sqs = closedAfterTest(await startSqs({ dataDirectory: await temporaryDirectory(), queues }));
  // A claim ends before its job comes back, as it does on AWS.
  const bench = newBench(world, {
    takesReference: true,
    speed: 60,
    answer: ({ messageId }) => {
      if (messageId === poisoned.message) throw new Error('a bug');
      return accepted;
    },
  });
  const end = queueWorker(endJob, endSend(world), () => Date.now() + 3_600_000);
  const handlers: Readonly<Record<string, (event: SQSEvent) => Promise<unknown>>> = {
    sms: bench.worker,
    'interrupted-sends': (event) => end(event, contextWith()),
  };
  const invoke: Invoke = async (name, event) => ({ ok: true, payload: await handlers[name]?.(event as SQSEvent) });
  for (const name of ['sms', 'interrupted-sends']) {
    const spec = { id: name, functionName: name, queueArn: arn(name), batchSize: 10, batchWindowSeconds: 0 };
    const feed = { sqsUrl: sqs.url, queueUrl: sqs.queueUrl(name), invoke };
    closedAfterTest(runQueueMapping({ ...spec, reportBatchItemFailures: true }, feed));
  }

  const client = new SQSClient(localClient(sqs.url));
  await openQueue<TextJob | string>(openAwsService('sqs', localEndpoint(sqs.url)), sqs.queueUrl('sms')).send([
    ...jobs,
    'nothing',
    poisoned,
  ]);
  await eventually(async () => {
    const found = await world.messages.find(account.ref, poisoned.message);
    expect(found).toMatchObject({ status: 'sent', failureCode: 'send_unconfirmed' });
  });
  const sent = bench.sent.map(({ messageId }) => messageId).filter((id) => id !== poisoned.message);
  expect(sent.sort()).toEqual(jobs.map((job) => job.message).sort());
  const statuses = await Promise.all(
    jobs.map(async (job) => (await world.messages.find(account.ref, job.message))?.status),
  );
  expect(new Set(statuses)).toEqual(new Set(['sent']));
  expect((await world.accounts.credits(account.ref.id))?.smsMasked).toBe(0);

  // A slow machine may park a job beside it that took longer than its visibility timeout.
  await eventually(async () => {
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: sqs.queueUrl('parked') }));
    expect(Messages.map(({ Body }) => Body)).toContain('"nothing"');
  });
  client.destroy();
});
