import { type Message, SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { accountOf } from '../../shared/aws/queue.ts';
import { jsonIn } from '../../shared/kit/json-in.ts';
import { StartFailure } from '../local/start-failure.ts';
import { parkedJobs } from '../queues.ts';
import type { Clients } from './clients.ts';
import { countIn, lookThrough } from './look-through.ts';
import { isFunctionOf, isNameOf, type ParkingPlace } from './parking-places.ts';

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
  /** About how many parked messages could not be looked at. */
  readonly unseen: number;
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
    if (kind === 'batches') return false;
    const news = notification.safeParse(content).data;
    return news
      ? topic !== undefined && isNameOf(news.TopicArn.split(':').at(-1) ?? '', { stage, id: topic })
      : source === undefined && !storedBatch.safeParse(content).success;
  };

/** How many messages are parked, of all queues. */
export const countParked = async (clients: Clients) => countIn(clients.sqs, await queueUrlOf(clients, parkedJobs));

/** How many messages are parked for each of the places, and about how many were not seen. The queue is looked through once for all of them. */
export const countMessages = async (clients: Clients, places: readonly ParkingPlace[]) => {
  const kinds = places.map((place) => ({ place, holds: holdsOf(clients, place), count: 0 }));
  const unseen = await lookThrough(clients.sqs, await queueUrlOf(clients, parkedJobs), async (message) => {
    for (const kind of kinds) if (kind.holds(message)) kind.count += 1;
    return false;
  });
  return { counts: new Map(kinds.map(({ place, count }) => [place, count])), unseen };
};

/** Replays each parked message that is meant, once. It is deleted after its replay, so a crash in between may replay it twice. */
const takeAll = async (
  clients: Clients,
  holds: Holds,
  putBack: (message: Message) => Promise<string | undefined>,
): Promise<Replayed> => {
  const failures: string[] = [];
  let done = 0;
  const unseen = await lookThrough(clients.sqs, await queueUrlOf(clients, parkedJobs), async (message) => {
    if (!holds(message)) return false;
    const failure = await putBack(message);
    if (failure === undefined) done += 1;
    else failures.push(failure);
    return failure === undefined;
  });
  return { done, failures, unseen };
};

/** Returns the jobs of a queue to it, or calls a function again with what it failed on. */
export const replayMessages = async (clients: Clients, place: ParkingPlace): Promise<Replayed> => {
  const holds = holdsOf(clients, place);
  if (place.kind !== 'jobs') return takeAll(clients, holds, callAgain(clients, place));
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

/** Deletes the notices of batches that are stored no more, so that the alarm ends. Returns about how many messages were not seen. */
export const dropNotices = async (clients: Clients, isStored: (key: string) => Promise<boolean>): Promise<number> => {
  const keyIn = ({ Body = '' }: Message) => storedBatch.safeParse(jsonIn(Body)).data?.detail.object.key;
  const isNotice = (one: Message): boolean => keyIn(one) !== undefined;
  const ifGone = async (one: Message) => ((await isStored(keyIn(one) ?? '')) ? 'stored' : undefined);
  return (await takeAll(clients, isNotice, ifGone)).unseen;
};

/** Lambda names the version that failed; the replay calls the newest. */
export const unversioned = (arn: string): string => arn.split(':').slice(0, 7).join(':');
