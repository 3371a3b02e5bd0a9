import {
  DeleteMessageBatchCommand,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { QueueMappingSpec } from './blueprint.ts';
import { region } from './emulators/json-service.ts';
import { failedItems, type Invoke } from './invocation.ts';
import { localClient } from './local-client.ts';
import { beginLife } from './mapping-life.ts';

const longPollSeconds = 20;
const messagesPerCall = 10;
const defaultConcurrency = 5;

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
  const client = new SQSClient(localClient(sqsUrl));
  const running = new Set<Promise<void>>();
  const held = new Set<string | undefined>();

  const receive = async (count: number, waitSeconds: number): Promise<Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(count, messagesPerCall),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    const { Messages = [] } = await client.send(command, { abortSignal: signal });
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
    const failed = failedItems(invocation, batch.map(idOf), spec);
    const done = batch.filter((message) => !failed.has(idOf(message)));
    for (let start = 0; start < done.length; start += messagesPerCall) {
      const Entries = done
        .slice(start, start + messagesPerCall)
        .map(({ ReceiptHandle }, index) => ({ Id: `${index}`, ReceiptHandle }));
      await insist(() => client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries })));
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
    close: async (): Promise<void> => {
      await end(polling.then(() => Promise.all(running)));
      client.destroy();
    },
  };
};

const idOf = ({ MessageId = '' }: Message): string => MessageId;

const toRecord = (message: Message, queueArn: string) => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: message.Attributes,
  messageAttributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, attribute]) => [name, toAttribute(attribute)]),
  ),
  ...(message.MD5OfMessageAttributes && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
  md5OfBody: message.MD5OfBody,
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

const toAttribute = ({ StringValue, BinaryValue, DataType }: MessageAttributeValue) => ({
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});
