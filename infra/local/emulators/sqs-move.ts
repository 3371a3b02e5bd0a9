import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AwsError } from './json-service.ts';
import type { SqsQueue, SqsStore } from './sqs-parts.ts';

const MoveRequest = z.object({ SourceArn: z.string(), DestinationArn: z.string().optional() });

/**
 * `StartMessageMoveTask`: moves the visible messages of a dead-letter queue to the queues that they came from, or to another, as new
 * ones. Unlike on AWS, the task is complete when the call returns.
 */
export const moveMessages = (store: SqsStore, request: unknown) => {
  const { SourceArn, DestinationArn } = MoveRequest.parse(request);
  const source = store.getQueueByArn(SourceArn);
  const isDeadLetterQueue = [...store.allQueues()].some(({ attributes }) =>
    attributes['RedrivePolicy']?.includes(`"${SourceArn}"`),
  );
  const destination = DestinationArn ? store.getQueueByArn(DestinationArn) : undefined;
  if (!source || (DestinationArn && !destination))
    throw new AwsError('ResourceNotFoundException', 'The resource that you specified for the queue does not exist.');
  if (!isDeadLetterQueue)
    throw new AwsError('InvalidParameterValue', 'Source queue must be configured as a Dead Letter Queue.');
  for (let batch = source.dequeue(10); batch.length > 0; batch = source.dequeue(10))
    for (const { ReceiptHandle } of batch)
      move(source, (origin) => destination ?? store.getQueueByArn(origin), ReceiptHandle);
  return { TaskHandle: randomUUID() };
};

const move = (
  source: SqsQueue,
  destinationOf: (origin: string) => SqsQueue | undefined,
  receiptHandle: string,
): void => {
  const message = source.inflightMessages.get(receiptHandle)?.message;
  const destination = destinationOf(message?.messageGroupId ?? '');
  if (!message || !destination) return;
  const { approximateFirstReceiveTimestamp: _, delayUntil: __, messageGroupId: ___, ...kept } = message;
  const fresh = { messageId: randomUUID(), sentTimestamp: Date.now(), approximateReceiveCount: 0 };
  destination.enqueue({ ...kept, ...fresh });
  source.deleteMessage(receiptHandle);
};
