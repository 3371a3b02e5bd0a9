import { GetQueueAttributesCommand, ListQueuesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { localClient } from '../infra/local/local-client.ts';
import { readBlueprint } from '../infra/local/read-blueprint.ts';
import { matches } from '../infra/local/stream-filter.ts';
import { newId } from '../shared/kit/id.ts';
import { iso } from '../shared/kit/time.ts';
import { hourMs } from '../shared/kit/time-units.ts';
import { channels, statuses } from '../shared/messages/message.ts';
import { trafficOrigins } from '../shared/messages/traffic.ts';
import { recountMessages } from './recount-messages.ts';
import { soonCounted } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';
import { assembly } from './testbed.ts';

let stack: SharedStack;
let sqs: SQSClient;
/** Messages of other services are from earlier hours, so that counts of whole hours are read. */
const startMs = Date.now() - 30 * hourMs;

beforeAll(async () => {
  stack = await shareTestStack();
  sqs = new SQSClient(localClient(stack.file.aws['sqs'] ?? ''));
});
afterAll(async () => {
  sqs.destroy();
});

const queueUrl = async (): Promise<string> => {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const url = QueueUrls.find((each) => /account.?traffic(?!.?dead)/i.test(each));
  if (url === undefined) throw new Error('there is no queue for account traffic');
  return url;
};

const report = async (jobs: readonly object[]): Promise<void> => {
  const Entries = jobs.map((job, n) => ({ Id: String(n), MessageBody: JSON.stringify(job) }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl: await queueUrl(), Entries }));
};

const analytics = async () => {
  const query = { startDate: iso(startMs - 1), endDate: iso(Date.now() + hourMs) };
  return (await stack.client.call('GET /analytics/messages', { query })).data.channels;
};

describe('message analytics of the started stack', () => {
  it('equal a recount of the list for mails, campaigns and automations, with their statuses', async () => {
    for (const to of ['ada@example.com', 'success@simulator.amazonses.com', 'bounce@simulator.amazonses.com'])
      await stack.client.call('POST /messages', { body: { channel: 'email', to, subject: 's', text: 't' } });
    const jobs = Array.from({ length: 10 }, (_, n) => ({
      account: stack.file.accountId,
      id: newId(startMs + 3 * n * hourMs),
      origin: n % 2 === 0 ? 'campaign' : 'automation',
      channel: n % 3 === 0 ? 'whatsapp' : 'sms',
      status: 'queued',
    }));
    await report(jobs);
    await report(jobs.slice(0, 6).map((job) => ({ ...job, status: 'sent' })));
    await report(jobs.slice(3, 8).map((job) => ({ ...job, status: 'delivered' })));

    await vi.waitFor(async () => {
      const listed = await Array.fromAsync(stack.client.all('GET /messages', { query: { limit: 5 } }));
      expect(listed.filter(({ status }) => status === 'sending' || status === 'queued')).toHaveLength(2);
      expect(listed).toHaveLength(13);
      const counted = await analytics();
      expect(counted).toEqual(recountMessages(listed));
      expect(counted.sms.total + counted.whatsapp.total).toBe(10);
      expect(counted.sms.delivered + counted.whatsapp.delivered).toBe(5);
    }, soonCounted);
  });

  it('continue after an unreadable job, which stays in the queue for a retry', async () => {
    const before = (await analytics()).sms.total;
    const job = { account: stack.file.accountId, origin: 'campaign', channel: 'sms', status: 'sent' };
    await report([
      { ...job, id: 'x' },
      { ...job, id: newId(startMs) },
    ]);
    await vi.waitFor(async () => {
      expect((await analytics()).sms.total).toBe(before + 1);
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: await queueUrl(),
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      expect(Object.values(Attributes ?? {}).sort()).toEqual(['0', '1']);
    }, soonCounted);
  });
});

it('messages of campaigns and automations start no function but the count', () => {
  const { streamMappings } = readBlueprint(assembly);
  const wokenBy = (record: object) =>
    streamMappings.flatMap(({ filters, functionName }) =>
      filters.some((filter) => matches(filter, record)) ? [functionName] : [],
    );
  const images = trafficOrigins.flatMap((origin) =>
    channels.flatMap((channel) =>
      statuses.map((status) => ({
        entity: { S: 'message' },
        origin: { S: origin },
        channel: { S: channel },
        status: { S: status },
      })),
    ),
  );
  for (const image of images) {
    expect(wokenBy({ eventName: 'INSERT', dynamodb: { NewImage: image } })).toEqual(['messages-count-messages']);
    expect(wokenBy({ eventName: 'MODIFY', dynamodb: { OldImage: image, NewImage: image } })).toEqual([
      'messages-count-messages',
    ]);
    expect(wokenBy({ eventName: 'REMOVE', dynamodb: { OldImage: image } })).toEqual(['messages-count-messages']);
  }
});
