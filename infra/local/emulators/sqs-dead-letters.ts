import * as z from 'zod';
import type { SqsQueue } from './sqs-parts.ts';

/**
 * Lets the messages that move from this queue to its dead-letter queue keep where they come from, which SQS shows as `DeadLetterQueueSourceArn`.
 * The emulator has no field for it; a standard queue leaves that of the message group unused.
 */
export const noteSource = (queue: SqsQueue): void => {
  const dequeue = queue.dequeue.bind(queue);
  queue.dequeue = (count, visibilitySeconds, resolve) =>
    dequeue(count, visibilitySeconds, (arn) => {
      const target = resolve?.(arn);
      const enqueue: SqsQueue['enqueue'] = (message) => target?.enqueue({ ...message, messageGroupId: queue.arn });
      return target && Object.assign(Object.create(target), { enqueue });
    });
};

const received = z.looseObject({
  Messages: z.array(z.looseObject({ Attributes: z.record(z.string(), z.string()).optional() })),
});

/** A reply with received messages, as SQS gives it. */
export const withSources = (reply: unknown): unknown => {
  const { data } = received.safeParse(reply);
  if (!data) return reply;
  const Messages = data.Messages.map(({ Attributes: { MessageGroupId, ...rest } = {}, ...message }) => {
    const group = MessageGroupId?.startsWith('arn:')
      ? { DeadLetterQueueSourceArn: MessageGroupId }
      : { MessageGroupId };
    return { ...message, Attributes: { ...rest, ...group } };
  });
  return { ...data, Messages };
};
