import * as z from 'zod';
import { openAwsService } from '../../shared/aws/aws-service.ts';
import type { QueueMappingSpec } from './blueprint.ts';
import { failedItems, type Invoke } from './invocation.ts';
import { localEndpoint } from './local-client.ts';
import { region } from './local-region.ts';
import { beginLife } from './mapping-life.ts';

const longPollSeconds = 20;
const messagesPerCall = 10;
const defaultConcurrency = 5;
/** Longer than a poll. */
const withinMs = 30_000;

const attribute = z.object({
  DataType: z.string(),
  StringValue: z.string().optional(),
  /** Base64. */
  BinaryValue: z.string().optional(),
});

const message = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  MD5OfBody: z.string(),
  Attributes: z.record(z.string(), z.string()).optional(),
  MessageAttributes: z.record(z.string(), attribute).default({}),
  MD5OfMessageAttributes: z.string().optional(),
});
type Message = z.output<typeof message>;

const received = z.object({ Messages: z.array(message).default([]) });

export interface QueueMappingDeps {
  readonly sqsUrl: string;
  readonly queueUrl: string;
  readonly invoke: Invoke;
  /** Called with the error that stops the mapping; by default it is printed to the terminal. */
  report?(line: string): void;
}

/**
 * Feeds a queue to a function, as Lambda's event source mapping does: in batches, several at a time. Messages that succeeded are deleted.
 * Failed ones return when their visibility timeout ends, and the queue's own policy moves them to a dead-letter queue.
 */
export const runQueueMapping = (spec: QueueMappingSpec, { sqsUrl, queueUrl, invoke, report }: QueueMappingDeps) => {
  const { signal, insist, end } = beginLife(spec.id, report);
  const sqs = openAwsService('sqs', localEndpoint(sqsUrl), { withinMs });
  const running = new Set<Promise<void>>();
  const held = new Set<string>();

  const receive = async (count: number, waitSeconds: number): Promise<Message[]> => {
    const input = {
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(count, messagesPerCall),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    };
    const { Messages } = received.parse(await sqs.send({ target: 'AmazonSQS.ReceiveMessage', input, signal }));
    for (const { ReceiptHandle } of Messages) held.add(ReceiptHandle);
    return Messages;
  };

  const gather = async (): Promise<Message[]> => {
    const batch = await receive(spec.batchSize, longPollSeconds);
    const windowEndMs = Date.now() + spec.batchWindowSeconds * 1_000;
    while (batch.length > 0 && batch.length < spec.batchSize && !signal.aborted) {
      const leftSeconds = Math.ceil((windowEndMs - Date.now()) / 1_000);
      if (leftSeconds <= 0) break;
      // After an error or on closing, the function gets the messages received so far.
      batch.push(...(await receive(spec.batchSize - batch.length, leftSeconds).catch(() => [])));
    }
    return batch;
  };

  const dispatch = async (batch: readonly Message[]): Promise<void> => {
    const invocation = await invoke(spec.functionName, { Records: batch.map((one) => toRecord(one, spec.queueArn)) });
    const failed = failedItems(
      invocation,
      batch.map(({ MessageId }) => MessageId),
      spec,
    );
    const done = batch.filter(({ MessageId }) => !failed.has(MessageId));
    for (let start = 0; start < done.length; start += messagesPerCall) {
      const Entries = done
        .slice(start, start + messagesPerCall)
        .map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
      const input = { QueueUrl: queueUrl, Entries };
      await insist(() => sqs.send({ target: 'AmazonSQS.DeleteMessageBatch', input }));
    }
  };

  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      if (running.size >= (spec.maximumConcurrency ?? defaultConcurrency)) await Promise.race(running);
      const batch = (await insist(gather)) ?? [];
      if (batch.length === 0) continue;
      const work: Promise<void> = dispatch(batch).finally(() => {
        running.delete(work);
        for (const { ReceiptHandle } of batch) held.delete(ReceiptHandle);
      });
      running.add(work);
    }
  };

  const polling = poll();
  return {
    /** Whether the message with this receipt handle is in a batch that has not ended. */
    isHeld: (receiptHandle: string): boolean => held.has(receiptHandle),
    /** Receives no more messages, and waits briefly for running invocations. */
    close: (): Promise<void> => end(polling.then(() => Promise.all(running))),
  };
};

const toRecord = (one: Message, queueArn: string) => ({
  messageId: one.MessageId,
  receiptHandle: one.ReceiptHandle,
  body: one.Body,
  attributes: one.Attributes,
  messageAttributes: Object.fromEntries(
    Object.entries(one.MessageAttributes).map(([name, value]) => [name, toAttribute(value)]),
  ),
  ...(one.MD5OfMessageAttributes && { md5OfMessageAttributes: one.MD5OfMessageAttributes }),
  md5OfBody: one.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

const toAttribute = ({ StringValue, BinaryValue, DataType }: z.output<typeof attribute>) => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});
