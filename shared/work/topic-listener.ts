import type { SNSEvent, SNSMessage } from 'aws-lambda';
import type * as z from 'zod';
import { InternalError } from '../kit/internal-error.ts';
import { jsonIn } from '../kit/json-in.ts';
import { causeOf, log, logAbout } from '../kit/log.ts';
import type { Clock } from '../kit/time.ts';

/** Distinguishes the topic's own messages from forged ones. */
interface Topic {
  readonly topicArn: string;
  isGenuine(message: SNSMessage): Promise<boolean>;
  confirm(message: SNSMessage): Promise<void>;
}

/**
 * A Lambda handler for a topic. It ignores messages of another topic, or not JSON (a service's greeting to a new subscriber). When `handle`
 * fails, the function fails and the message is redelivered, so `handle` must be idempotent. `publishedMs` is the same then, and never later than
 * now. One in the topic's name that is not genuine ends with parked work: only the topic may call the function, so we may not be able to verify it.
 */
export const topicListener =
  <News>(
    topic: Topic,
    news: z.ZodType<News>,
    handle: (news: News, nowMs: number, publishedMs: number) => Promise<void>,
    clock: Clock = Date.now,
  ) =>
  async ({ Records }: SNSEvent): Promise<void> => {
    const take = async (message: SNSMessage): Promise<void> => {
      const isGenuine = await topic.isGenuine(message);
      const content = jsonIn(message.Message);
      if (!isGenuine && message.TopicArn === topic.topicArn) throw new InternalError('a message is not its topic’s');
      if (!isGenuine) log('warn', 'a message was of another topic');
      else if (message.Type === 'SubscriptionConfirmation') await topic.confirm(message);
      else if (content === undefined) log('info', 'a message was not JSON');
      else {
        const nowMs = clock();
        await handle(news.parse(content), nowMs, Math.min(Date.parse(message.Timestamp), nowMs));
      }
    };
    const takeNoted = (message: SNSMessage): Promise<void> =>
      take(message).catch((thrown: unknown) => {
        log('error', 'message failed', causeOf(thrown));
        // Lambda's runtime logs what a function throws, with its message.
        throw new InternalError('a message of the topic failed');
      });
    for (const { Sns } of Records) await logAbout({ notificationId: Sns.MessageId }, () => takeNoted(Sns));
  };
