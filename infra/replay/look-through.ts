import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { StartFailure } from '../local/start-failure.ts';

const messagesPerCall = 10;
/** A call from far away takes 100 ms, so many messages need several receivers. */
const mostReceivers = 8;
const messagesPerReceiver = 100;
/** How far SQS may be off when it counts a small queue. */
const uncounted = 1_000;

/**
 * How long parked messages stay hidden while they are looked through: a tenth of a second for each, which is several times what its replay takes.
 * It is longer than any function runs, and at most what SQS allows.
 */
export const hiddenSecondsOf = (parked: number): number => Math.min(43_200, Math.max(300, Math.ceil(parked / 10)));

/** How many messages a queue has, as far as SQS knows. `hidden`: those that nobody can receive now. */
export const countIn = async (sqs: SQSClient, QueueUrl: string) => {
  const [shown, hidden] = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [shown, hidden] });
  const { Attributes } = await sqs.send(asked);
  return { shown: Number(Attributes?.[shown] ?? 0), hidden: Number(Attributes?.[hidden] ?? 0) };
};

/** Receives each message of the queue, looks at each once, and deletes those of which `look` returns true. The others can be received again at the end. */
const openPass = (sqs: SQSClient, QueueUrl: string, shown: number, look: (message: Message) => Promise<boolean>) => {
  const handles = new Map<string, string | undefined>();
  const done = new Set<string>();
  let received = 0;
  let isOver = false;
  let isStopped = false;

  /** Whether it is new. */
  const remember = ({ MessageId: id = '', ReceiptHandle }: Message): boolean => {
    const isNew = !handles.has(id);
    handles.set(id, ReceiptHandle);
    return isNew;
  };

  const meet = async (message: Message, isNew: boolean): Promise<void> => {
    const { MessageId: id = '' } = message;
    const isDone = isNew ? !isStopped && (await look(message)) : done.has(id);
    if (!isDone) return;
    done.add(id);
    // Only the newest handle deletes, and the message may have come back meanwhile.
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: handles.get(id) }));
  };

  const receive = async (): Promise<void> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: messagesPerCall,
        VisibilityTimeout: hiddenSecondsOf(shown),
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    received += Messages.length;
    // Twice as many as there were: what was left comes back, or new ones come as fast as they are received.
    if (Messages.length === 0 || received >= 2 * shown + uncounted) isOver = true;
    const met = Messages.map((message) => ({ message, isNew: remember(message) }));
    for (const { message, isNew } of met) await meet(message, isNew);
  };

  return {
    /** What has been received already is not looked at any more. */
    stop: () => {
      isStopped = true;
      isOver = true;
    },
    isStopped: () => isStopped,
    receiveAll: async (): Promise<void> => {
      try {
        while (!isOver) await receive();
      } finally {
        isOver = true;
      }
    },
    left: () => [...handles].flatMap(([id, handle]) => (done.has(id) ? [] : [handle])),
    seen: () => handles.size,
  };
};

const showAgain = async (sqs: SQSClient, QueueUrl: string, handles: readonly (string | undefined)[]): Promise<void> => {
  const starts = handles.keys().filter((n) => n % messagesPerCall === 0);
  const show = async (): Promise<void> => {
    for (const start of starts) {
      const some = handles.slice(start, start + messagesPerCall);
      const Entries = some.map((ReceiptHandle, n) => ({ Id: `${n}`, ReceiptHandle, VisibilityTimeout: 0 }));
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    }
  };
  await Promise.all(Array.from({ length: mostReceivers }, show));
};

/**
 * Looks at each message of the queue once, several at a time, and deletes those of which `look` returns true.
 * Returns about how many were not seen. The others can be received again at once, also after a signal to end.
 * @throws StartFailure after a signal
 */
export const lookThrough = async (
  sqs: SQSClient,
  QueueUrl: string,
  look: (message: Message) => Promise<boolean>,
): Promise<number> => {
  const { shown } = await countIn(sqs, QueueUrl);
  const pass = openPass(sqs, QueueUrl, shown, look);
  // Not once: a terminal and npm both pass on the same Ctrl-C.
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, pass.stop);
  try {
    const receivers = Math.min(mostReceivers, Math.ceil((shown + 1) / messagesPerReceiver));
    const ends = await Promise.allSettled(Array.from({ length: receivers }, pass.receiveAll));
    await showAgain(sqs, QueueUrl, pass.left());
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    for (const signal of signals) process.off(signal, pass.stop);
  }
  if (pass.isStopped()) throw new StartFailure('Stopped. What is still parked can be received again at once.');
  return Math.max(0, shown - pass.seen());
};
