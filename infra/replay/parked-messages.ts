import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { StartFailure } from '../local/start-failure.ts';
import type { Clients } from './clients.ts';
import { isNameOf } from './parking-places.ts';

/** How long a parked message stays hidden during its replay: longer than any function runs. */
const hiddenSeconds = 60;

const failedInvocation = z.object({
  requestContext: z.object({ functionArn: z.string() }),
  requestPayload: z.unknown(),
});

/** The result of a replay. */
export interface Replayed {
  readonly done: number;
  /** Why the others are still parked. */
  readonly failures: readonly string[];
}

/** @throws StartFailure when the stage has no such queue */
export const queueUrlOf = async ({ sqs, stage }: Clients, id: string): Promise<string> => {
  const prefix = (part: 'data' | 'work') => `${stage}-${part}-${id.replaceAll('-', '')}`;
  for (const part of ['data', 'work'] as const) {
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: prefix(part) }));
    const found = QueueUrls.find((url) => isNameOf(url.split('/').at(-1) ?? '', { stage, id }));
    if (found) return found;
  }
  throw new StartFailure(`The stage ${stage} has no queue ${id}.`);
};

export const countMessages = async (sqs: SQSClient, QueueUrl: string): Promise<number> => {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
};

/** Replays each parked message once. It is deleted after its replay, so a crash in between may replay it twice. */
const takeAll = async (
  sqs: SQSClient,
  QueueUrl: string,
  putBack: (message: Message) => Promise<string | undefined>,
): Promise<Replayed> => {
  const failures: string[] = [];
  for (let done = 0; ; ) {
    const wanted = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: hiddenSeconds, WaitTimeSeconds: 1 };
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ ...wanted, MessageAttributeNames: ['All'] }));
    if (Messages.length === 0) return { done, failures };
    for (const message of Messages) {
      const failure = await putBack(message);
      if (failure === undefined) {
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
        done += 1;
      } else failures.push(failure);
    }
  }
};

/** Moves jobs from a dead-letter queue to the queue that they came from. */
export const replayJobs = (sqs: SQSClient, from: string, to: string): Promise<Replayed> =>
  takeAll(sqs, from, async ({ Body, MessageAttributes }) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody: Body, MessageAttributes }));
    return undefined;
  });

/** Calls functions again with the events that they failed on. */
export const replayNews = ({ sqs, invoke }: Clients, from: string): Promise<Replayed> =>
  takeAll(sqs, from, async ({ MessageId, Body = '' }) => {
    const { data } = failedInvocation.safeParse(jsonIn(Body));
    if (!data) return `${MessageId} is not a failed function invocation; it stays parked`;
    return invoke(unversioned(data.requestContext.functionArn), JSON.stringify(data.requestPayload));
  });

/** Lambda names the version that failed; the replay calls the newest. */
export const unversioned = (arn: string): string => arn.split(':').slice(0, 7).join(':');

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
