import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { accountOf } from '../../shared/aws/queue.ts';
import { StartFailure } from '../local/start-failure.ts';
import { parkedJobs } from '../queues.ts';
import type { Clients } from './clients.ts';
import { isFunctionOf, isNameOf, type ParkingPlace } from './parking-places.ts';

/** How long parked messages stay hidden while they are looked through: longer than any function runs. */
export const hiddenSeconds = 300;
const messagesPerCall = 10;

const failedInvocation = z.object({
  requestContext: z.object({ functionArn: z.string() }),
  requestPayload: z.unknown(),
});
/** What SNS itself parks when it cannot call the function: the notification, without the event of Lambda around it. */
const notification = z.looseObject({ TopicArn: z.string(), MessageId: z.string(), Message: z.string() });
const storedBatch = z.object({ detail: z.object({ object: z.object({ key: z.string() }) }) });

/** The result of a replay. */
export interface Replayed {
  readonly done: number;
  /** Why the others are still parked. */
  readonly failures: readonly string[];
}

/** Which of the parked messages are meant. */
type Holds = (message: Message) => boolean;

/** @throws StartFailure when the stage has no such queue */
const queueUrlOf = async (clients: Clients, id: string): Promise<string> => {
  const found = await clients.find('AWS::SQS::Queue', id);
  if (!found) throw new StartFailure(`The stage ${clients.stage} has no queue ${id}.`);
  return found;
};

/** Whether a parked message belongs to the place. */
const holdsOf =
  ({ stage }: Clients, { name: id, kind, topic }: ParkingPlace): Holds =>
  ({ Attributes, Body = '' }) => {
    const source = Attributes?.DeadLetterQueueSourceArn;
    if (kind === 'jobs') return isNameOf(source?.split(':').at(-1) ?? '', { stage, id });
    const content = jsonIn(Body);
    const { data } = failedInvocation.safeParse(content);
    if (data) return isFunctionOf(data.requestContext.functionArn, { stage, id });
    const news = notification.safeParse(content).data;
    return news
      ? topic !== undefined && isNameOf(news.TopicArn.split(':').at(-1) ?? '', { stage, id: topic })
      : source === undefined && !storedBatch.safeParse(content).success;
  };

/**
 * Each parked message once, until the queue has none to show: those that a long replay has left come back meanwhile, before others are seen.
 * Those that are still there at the end can be received again at once.
 */
async function* parkedIn(sqs: SQSClient, QueueUrl: string): AsyncGenerator<Message> {
  const seen = new Map<string, Message>();
  const wanted = {
    QueueUrl,
    MaxNumberOfMessages: messagesPerCall,
    VisibilityTimeout: hiddenSeconds,
    WaitTimeSeconds: 1,
  };
  try {
    while (true) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          ...wanted,
          MessageAttributeNames: ['All'],
          MessageSystemAttributeNames: ['All'],
        }),
      );
      const fresh = Messages.filter(({ MessageId = '' }) => !seen.has(MessageId));
      for (const message of Messages) seen.set(message.MessageId ?? '', message);
      if (Messages.length === 0) return;
      yield* fresh;
    }
  } finally {
    const handles = [...seen.values()].map(({ ReceiptHandle }) => ReceiptHandle);
    for (let start = 0; start < handles.length; start += messagesPerCall) {
      const some = handles.slice(start, start + messagesPerCall);
      const Entries = some.map((ReceiptHandle, n) => ({ Id: `${n}`, ReceiptHandle, VisibilityTimeout: 0 }));
      // The entries of deleted messages fail, and the others do not.
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    }
  }
}

/** How many parked messages nobody can receive now: another run looks at them, or was killed before it showed them again. */
export const countHidden = async (clients: Clients): Promise<number> => {
  const hidden = 'ApproximateNumberOfMessagesNotVisible';
  const QueueUrl = await queueUrlOf(clients, parkedJobs);
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [hidden] });
  return Number((await clients.sqs.send(asked)).Attributes?.[hidden] ?? 0);
};

/** How many messages are parked for each of the places. The queue is looked through once for all of them. */
export const countMessages = async (
  clients: Clients,
  places: readonly ParkingPlace[],
): Promise<ReadonlyMap<ParkingPlace, number>> => {
  const parked = await Array.fromAsync(parkedIn(clients.sqs, await queueUrlOf(clients, parkedJobs)));
  return new Map(places.map((place) => [place, parked.filter(holdsOf(clients, place)).length]));
};

/** Replays each parked message that is meant, once. It is deleted after its replay, so a crash in between may replay it twice. */
const takeAll = async (
  clients: Clients,
  holds: Holds,
  putBack: (message: Message) => Promise<string | undefined>,
): Promise<Replayed> => {
  const QueueUrl = await queueUrlOf(clients, parkedJobs);
  const failures: string[] = [];
  let done = 0;
  for await (const message of parkedIn(clients.sqs, QueueUrl)) {
    if (!holds(message)) continue;
    const failure = await putBack(message);
    if (failure === undefined) {
      await clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
      done += 1;
    } else failures.push(failure);
  }
  return { done, failures };
};

/** Returns the jobs of a queue to it, or calls a function again with the topic messages that it failed on. */
export const replayMessages = async (clients: Clients, place: ParkingPlace): Promise<Replayed> => {
  const holds = holdsOf(clients, place);
  if (place.kind === 'news') return takeAll(clients, holds, callAgain(clients, place));
  const QueueUrl = await queueUrlOf(clients, place.name);
  return takeAll(clients, holds, async ({ Body, MessageAttributes }) => {
    const MessageGroupId = accountOf(jsonIn(Body ?? ''));
    await clients.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: Body, MessageAttributes, MessageGroupId }));
    return undefined;
  });
};

const callAgain =
  ({ find, invoke, stage }: Clients, { name }: ParkingPlace) =>
  async ({ MessageId, Body = '' }: Message): Promise<string | undefined> => {
    const { data } = failedInvocation.safeParse(jsonIn(Body));
    if (data) return invoke(unversioned(data.requestContext.functionArn), JSON.stringify(data.requestPayload));
    const news = notification.safeParse(jsonIn(Body)).data;
    if (!news) return `${MessageId} is not a failed function invocation; it stays parked`;
    const called = await find('AWS::Lambda::Function', name);
    return called ? invoke(called, eventOf(news)) : `The stage ${stage} has no function ${name}.`;
  };

/** The event with which SNS would have called the function. */
const eventOf = ({ SigningCertURL, UnsubscribeURL, ...news }: z.infer<typeof notification>): string =>
  JSON.stringify({
    Records: [
      {
        EventSource: 'aws:sns',
        EventVersion: '1.0',
        Sns: { ...news, SigningCertUrl: SigningCertURL, UnsubscribeUrl: UnsubscribeURL },
      },
    ],
  });

/** Deletes the notices of batches that are stored no more, so that the alarm ends. */
export const dropNotices = async (clients: Clients, isStored: (key: string) => Promise<boolean>): Promise<void> => {
  const keyIn = ({ Body = '' }: Message) => storedBatch.safeParse(jsonIn(Body)).data?.detail.object.key;
  const isNotice = (one: Message): boolean => keyIn(one) !== undefined;
  await takeAll(clients, isNotice, async (one) => ((await isStored(keyIn(one) ?? '')) ? 'stored' : undefined));
};

/** Lambda names the version that failed; the replay calls the newest. */
export const unversioned = (arn: string): string => arn.split(':').slice(0, 7).join(':');

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
