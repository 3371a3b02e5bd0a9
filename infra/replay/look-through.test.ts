import { createHash } from 'node:crypto';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { serveJson } from '../local/emulators/json-service.ts';
import { startSqs } from '../local/emulators/sqs.ts';
import { closedAfterTest, temporaryDirectory } from '../local/emulators-fixture.ts';
import { localClient } from '../local/local-client.ts';
import { countIn, hiddenSecondsOf, lookThrough } from './look-through.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const asked = z.object({ VisibilityTimeout: z.int().optional(), ReceiptHandle: z.string().optional() });

/** A queue that answers each receive with the next ten of its messages, and begins again: whatever it hides comes back at once. */
const startForgetful = async (size: number, counted = size) => {
  const ids = new Set(Array.from({ length: size }, (_, n) => `${n}`));
  const hiddenSeconds = new Set<number>();
  let receives = 0;
  const answers: Readonly<Record<string, (body: z.output<typeof asked>) => unknown>> = {
    GetQueueAttributes: () => ({ Attributes: { ApproximateNumberOfMessages: `${counted}` } }),
    ReceiveMessage: ({ VisibilityTimeout = 0 }) => {
      hiddenSeconds.add(VisibilityTimeout);
      const from = (receives++ * 10) % size;
      const some = Array.from({ length: 10 }, (_, n) => `${(from + n) % size}`).filter((id) => ids.has(id));
      return {
        Messages: some.map((id) => ({
          MessageId: id,
          ReceiptHandle: `${id}/${receives}`,
          Body: id,
          MD5OfBody: md5(id),
        })),
      };
    },
    DeleteMessage: ({ ReceiptHandle = '' }) => void ids.delete(ReceiptHandle.split('/')[0] ?? ''),
  };
  const { url } = closedAfterTest(
    await serveJson(({ headers, body }) => {
      const [, call = ''] = String(headers['x-amz-target']).split('.');
      return answers[call]?.(asked.parse(body)) ?? {};
    }),
  );
  return { sqs: new SQSClient(localClient(url)), url: `${url}/0/parked`, ids, hiddenSeconds };
};

it('a pass over messages that come back before it is over sees each once, and ends', async () => {
  const { sqs, url, hiddenSeconds } = await startForgetful(420);
  const seen: string[] = [];
  const look = async ({ Body = '' }) => {
    seen.push(Body);
    return false;
  };
  expect(await lookThrough(sqs, url, look)).toBe(0);
  expect([seen.length, new Set(seen).size]).toEqual([420, 420]);
  expect(hiddenSeconds).toEqual(new Set([300]));
});

it('messages are hidden for a tenth of a second for each, for 5 minutes at least and 12 hours at most', () => {
  expect([1, 3_000, 3_020, 432_001].map(hiddenSecondsOf)).toEqual([300, 300, 302, 43_200]);
});

it('of messages that come back before they are done with, none is left', async () => {
  const { sqs, url, ids } = await startForgetful(200);
  expect(await lookThrough(sqs, url, async () => true)).toBe(0);
  expect(ids).toEqual(new Set());
});

it('a pass that does not see as many messages as the queue had says how many are missing', async () => {
  const { sqs, url, hiddenSeconds } = await startForgetful(40, 1_000_000);
  let count = 0;
  const unseen = await lookThrough(sqs, url, async () => {
    count += 1;
    return true;
  });
  expect([count, unseen]).toEqual([40, 999_960]);
  expect(hiddenSeconds).toEqual(new Set([43_200]));
});

describe('what was looked at can be received again', () => {
  const startParked = async () => {
    const arn = 'arn:aws:sqs:us-east-1:000000000000:parked';
    const queues = [{ name: 'parked', arn, attributes: {} }];
    const served = closedAfterTest(await startSqs({ dataDirectory: await temporaryDirectory(), queues }));
    const [sqs, QueueUrl] = [new SQSClient(localClient(served.url)), served.queueUrl('parked')];
    const Entries = Array.from({ length: 10 }, (_, n) => ({ Id: `${n}`, MessageBody: `${n}` }));
    for (let sent = 0; sent < 30; sent += 10) await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    return { sqs, QueueUrl };
  };

  it.each(['SIGINT', 'SIGTERM'] as const)('after %s, and nothing more is looked at', async (signal) => {
    const { sqs, QueueUrl } = await startParked();
    let looks = 0;
    const stop = async () => {
      looks += 1;
      process.emit(signal);
      return false;
    };
    await expect(lookThrough(sqs, QueueUrl, stop)).rejects.toThrow('Stopped.');
    expect(looks).toBe(1);
    expect(await countIn(sqs, QueueUrl)).toEqual({ shown: 30, hidden: 0 });
  });

  it('after a look that failed', async () => {
    const { sqs, QueueUrl } = await startParked();
    await expect(lookThrough(sqs, QueueUrl, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(await countIn(sqs, QueueUrl)).toEqual({ shown: 30, hidden: 0 });
  });
});
