import * as z from 'zod';
import type { SqsApp, SqsStore } from './sqs-parts.ts';

const longestDelaySeconds = 900;

const Entry = z.looseObject({
  Id: z.string().optional(),
  DelaySeconds: z.number().optional(),
  VisibilityTimeout: z.number().optional(),
});
const SqsRequest = Entry.extend({ QueueUrl: z.string().optional(), Entries: z.array(Entry).optional() });
const Received = z.looseObject({ Messages: z.array(z.object({ ReceiptHandle: z.string() })) });
const BatchAnswer = z.looseObject({ Failed: z.array(z.unknown()) });

/** Makes the emulator keep three rules of SQS that it breaks by itself. */
export const keepSqsRules = (app: SqsApp, store: SqsStore): void => {
  const refusedEntries = new WeakMap<object, unknown[]>();

  app.addHook('preHandler', async (request, reply) => {
    const { data } = SqsRequest.safeParse(request.headers['x-amz-target'] && request.body);
    if (!data) return;
    const message = refusalOf(data);
    if (message) {
      reply.code(400).header('x-amzn-query-error', 'InvalidParameterValue;Sender');
      return reply.send({ __type: 'com.amazonaws.sqs#InvalidParameterValue', message });
    }
    const { Entries: entries } = data;
    request.body = { ...released(data), ...(entries && { Entries: entries.filter(isAllowed).map(released) }) };
    const refused = entries?.filter((entry) => !isAllowed(entry)) ?? [];
    if (refused.length === 0) return;
    refusedEntries.set(request, refused.map(asFailure));
    if (refused.length === entries?.length) return reply.send({ Successful: [], Failed: [] });
  });

  app.addHook('preSerialization', async (request, reply, payload) => {
    const refused = refusedEntries.get(request);
    const batch = refused && BatchAnswer.safeParse(payload).data;
    if (batch) return { ...batch, Failed: [...batch.Failed, ...refused] };
    if (reply.raw.destroyed) takeBack(store, request.body, payload);
    return payload;
  });
};

/** SQS refuses a longer delay; the emulator would keep it. */
const refusalOf = ({ DelaySeconds = 0 }: z.infer<typeof Entry>): string | undefined =>
  DelaySeconds < 0 || DelaySeconds > longestDelaySeconds
    ? `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${longestDelaySeconds}.`
    : undefined;

const isAllowed = (entry: z.infer<typeof Entry>): boolean => !refusalOf(entry);

const asFailure = (entry: z.infer<typeof Entry>) => ({
  Id: entry.Id,
  SenderFault: true,
  Code: 'InvalidParameterValue',
  Message: refusalOf(entry),
});

/** Visible at once: the emulator loses a message whose timeout is set to 0, so it gets the shortest other one, a millisecond. */
const released = <Given extends z.infer<typeof Entry>>(entry: Given): Given =>
  entry.VisibilityTimeout === 0 ? { ...entry, VisibilityTimeout: 0.001 } : entry;

/** A receiver that hung up during its long poll got nothing: its messages are visible again, and were not received. */
const takeBack = (store: SqsStore, request: unknown, answer: unknown): void => {
  const queue = store.getQueue(SqsRequest.parse(request).QueueUrl ?? '');
  for (const { ReceiptHandle } of Received.safeParse(answer).data?.Messages ?? []) {
    const taken = queue?.inflightMessages.get(ReceiptHandle);
    if (taken) taken.message.approximateReceiveCount -= 1;
    queue?.changeVisibility(ReceiptHandle, 0.001);
  }
};
