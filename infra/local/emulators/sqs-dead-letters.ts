import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { atomically } from './atomically.ts';
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

/**
 * Writes all that a receive changes at once. The emulator deletes a message that moves to a dead-letter queue before it writes it there: a kill or a
 * full disk between the two would lose it.
 */
export const receiveAtomically = (queue: SqsQueue, database: DatabaseSync): void => {
  const dequeue = queue.dequeue.bind(queue);
  queue.dequeue = (...call) => {
    let taken: ReturnType<SqsQueue['dequeue']> = [];
    atomically(database, () => {
      taken = dequeue(...call);
    });
    return taken;
  };
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
