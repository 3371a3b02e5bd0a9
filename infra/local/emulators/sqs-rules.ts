import * as z from 'zod';
import type { Permissions } from '../permissions.ts';
import type { Access } from '../policy.ts';
import { accessKeyIn } from './aws-caller.ts';
import { AwsError } from './json-service.ts';
import { isFromOtherSite } from './other-site.ts';
import { withSources } from './sqs-dead-letters.ts';
import { moveMessages } from './sqs-move.ts';
import type { SqsApp, SqsStore } from './sqs-parts.ts';

const longestDelaySeconds = 900;

const Entry = z.looseObject({
  Id: z.string().optional(),
  DelaySeconds: z.number().optional(),
  VisibilityTimeout: z.number().optional(),
});
type Entry = z.infer<typeof Entry>;
const SqsRequest = Entry.extend({ QueueUrl: z.string().optional(), Entries: z.array(Entry).optional() });

const Received = z.looseObject({ Messages: z.array(z.object({ ReceiptHandle: z.string() })) });
const BatchAnswer = z.looseObject({ Failed: z.array(z.unknown()) });

/** Adds SQS's behaviour where the emulator differs. */
export const keepSqsRules = (app: SqsApp, store: SqsStore, permissions: Permissions): void => {
  const refusedEntries = new WeakMap<object, unknown[]>();

  app.addHook('onRequest', async ({ raw }) => {
    if (isFromOtherSite(raw)) throw new AwsError('AccessDenied', 'A page of another site sent this.', 403);
  });

  app.addHook('preHandler', async (request, reply) => {
    const action = request.headers['x-amz-target'];
    if (!action) return;
    const accessKey = accessKeyIn(request.headers.authorization);
    const refusal = permissions.refusalOf(accessKey, () => [accessOf(String(action), request.body, store)]);
    if (refusal) throw new AwsError('AccessDenied', refusal, 403);
    if (action === 'AmazonSQS.StartMessageMoveTask') return reply.send(moveMessages(store, request.body));
    const { Entries: entries, ...body } = SqsRequest.parse(request.body);
    const reason = refusalOf(body);
    if (reason) throw new AwsError('InvalidParameterValue', reason);
    request.body = { ...released(body), ...(entries && { Entries: entries.filter(isAllowed).map(released) }) };
    const refused = entries?.filter((entry) => !isAllowed(entry)) ?? [];
    if (refused.length === 0) return;
    refusedEntries.set(request, refused.map(asFailure));
    if (refused.length === entries?.length) return reply.send({ Successful: [], Failed: [] });
  });

  // The emulator makes messages visible at the next receive only, and would count them as hidden until then.
  app.addHook('preHandler', async ({ headers, body }) => {
    if (headers['x-amz-target'] !== 'AmazonSQS.GetQueueAttributes') return;
    store.getQueue(SqsRequest.parse(body).QueueUrl ?? '')?.processTimers();
  });

  app.addHook('preSerialization', async (request, reply, payload) => {
    const refused = refusedEntries.get(request);
    const batch = refused && BatchAnswer.safeParse(payload).data;
    if (batch) return { ...batch, Failed: [...batch.Failed, ...refused] };
    if (reply.raw.destroyed) takeBack(store, request.body, payload);
    return withSources(payload);
  });

  app.setErrorHandler(async (error, _, reply) => {
    if (!(error instanceof AwsError)) throw error;
    reply.code(error.status).header('x-amzn-query-error', `${error.code};Sender`);
    return { __type: `com.amazonaws.sqs#${error.code}`, message: error.message };
  });
};

/** A batch requires the permission of the single call. SQS names its actions in small letters. */
const accessOf = (target: string, body: unknown, store: SqsStore): Access => {
  const operation = target.replace('AmazonSQS.', '').replace(/Batch$/, '');
  const queueUrl = SqsRequest.safeParse(body).data?.QueueUrl ?? '';
  return { action: `sqs:${operation.toLowerCase()}`, resource: store.getQueue(queueUrl)?.arn ?? queueUrl };
};

/** SQS refuses a longer delay; the emulator would accept it. */
const refusalOf = ({ DelaySeconds = 0 }: Entry): string | undefined =>
  DelaySeconds < 0 || DelaySeconds > longestDelaySeconds
    ? `Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${longestDelaySeconds}.`
    : undefined;

const isAllowed = (entry: Entry): boolean => !refusalOf(entry);

const asFailure = (entry: Entry) => ({
  Id: entry.Id,
  SenderFault: true,
  Code: 'InvalidParameterValue',
  Message: refusalOf(entry),
});

/** The emulator loses a message whose visibility timeout is set to 0. This ends at once too: it vanishes when it is added to the clock's milliseconds. */
const atOnceSeconds = Number.MIN_VALUE;

const released = (entry: Entry): Entry =>
  entry.VisibilityTimeout === 0 ? { ...entry, VisibilityTimeout: atOnceSeconds } : entry;

/** A receiver that disconnected during its long poll got nothing: makes its messages visible again, and does not count the receive. */
const takeBack = (store: SqsStore, request: unknown, answer: unknown): void => {
  const queue = store.getQueue(SqsRequest.parse(request).QueueUrl ?? '');
  for (const { ReceiptHandle } of Received.safeParse(answer).data?.Messages ?? []) {
    const taken = queue?.inflightMessages.get(ReceiptHandle);
    if (taken) taken.message.approximateReceiveCount -= 1;
    queue?.changeVisibility(ReceiptHandle, atOnceSeconds);
  }
};
