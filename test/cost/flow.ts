import type { DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { receiveSesNotification } from '../../functions/callbacks/receive-ses-notification/handler.ts';
import { groupOf as sessionOf, workPayments } from '../../functions/checkout/work-payments/handler.ts';
import { countMessages } from '../../functions/messages/count-messages/handler.ts';
import { groupOf as accountOfSend, endInterruptedSend } from '../../functions/messages/end-interrupted-send/handler.ts';
import { newBench } from '../../functions/messages/send-text/send-text-fixture.ts';
import { giveNotice, groupOf as kindOf } from '../../functions/notices/give-notice/handler.ts';
import { routeChanges } from '../../functions/outbox/route-changes/handler.ts';
import { attemptDelivery, groupOf as subscriptionOf } from '../../functions/webhooks/attempt-delivery/handler.ts';
import { groupOf as accountOfEvent, publishEvents } from '../../functions/webhooks/publish-events/handler.ts';
import { outbox } from '../../infra/outbox.ts';
import { paymentJob } from '../../shared/checkout/payment-job.ts';
import { refundWorker } from '../../shared/checkout/work-refund.ts';
import { logAbout } from '../../shared/kit/log.ts';
import { endJob, messageEventJob } from '../../shared/messages/jobs.ts';
import { noticeJob } from '../../shared/notices/notice-job.ts';
import { type DeliveryJob, deliveryJob } from '../../shared/webhooks/jobs.ts';
import { groupWorker } from '../../shared/work/queue-worker.ts';
import { changeReader, streamReader } from '../../shared/work/stream-reader.ts';
import { checkoutCalls } from '../checkout-calls.ts';
import { entityOf, readRecordsOf } from '../message-records.ts';
import { startLateList, startList } from '../webhook-calls.ts';
import type { World } from '../world.ts';
import type { StepMeter } from './step-meter.ts';

const entriesARequest = 10;
const context = { getRemainingTimeInMillis: () => 25_000 };

export const inBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));

/** Changes are counted by the second, and a busy second has them all. */
const inOneSecond = (record: DynamoDBRecord): DynamoDBRecord => ({
  ...record,
  dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: 1_795_176_000 },
});

/** All that follows from requests, function by function, as the queues and the stream give it to them: so many jobs at a time. */
export const openFlow = async (world: World, meter: StepMeter) => {
  const beganMs = Date.now();
  const readRecords = await readRecordsOf(world, ['message', 'payment', 'refund']);
  const checkout = checkoutCalls(world);
  const waiting = new Map<string, object[]>();
  const put = (queue: string, jobs: readonly object[]) => waiting.set(queue, [...(waiting.get(queue) ?? []), ...jobs]);
  const take = (queue: string): object[] => {
    const jobs = waiting.get(queue) ?? [];
    waiting.delete(queue);
    return jobs;
  };
  let sendRequests = 0;
  const queueTo = (queue: string) => ({
    send: async (jobs: readonly object[]) => {
      sendRequests += Math.ceil(jobs.length / entriesARequest);
      put(queue, jobs);
    },
  });

  const route = changeReader({
    read: routeChanges({
      outbox,
      queueOf: ({ queue }) => ({
        sendEach: async (entries) => {
          await queueTo(queue).send(entries.map(({ job }) => job));
          return [];
        },
      }),
      delaySecondsOf: () => 0,
    }),
    parkedJobs: startList(),
    clock: Date.now,
  });
  const count = streamReader(countMessages(world));
  const texts = newBench(world);
  const workers = {
    INTERRUPTED_SENDS_QUEUE_URL: {
      does: 'messages/end-interrupted-send',
      run: groupWorker(endJob, accountOfSend, endInterruptedSend(world, Date.now)),
      outside: undefined,
    },
    SMS_QUEUE_URL: { does: 'messages/send-text', run: texts.worker, outside: 'provider' },
    MESSAGE_EVENTS_QUEUE_URL: {
      does: 'webhooks/publish-events',
      run: groupWorker(
        messageEventJob,
        accountOfEvent,
        publishEvents({ ...world, webhookDeliveriesQueue: queueTo('deliveries') }),
      ),
      outside: undefined,
    },
    NOTICES_QUEUE_URL: {
      does: 'notices/give-notice',
      run: groupWorker(
        noticeJob,
        kindOf,
        giveNotice({
          ...world,
          webhookDeliveriesQueue: queueTo('deliveries'),
          addresses: checkout.addresses,
          platformAddress: 'p@platform.example',
          baseUrl: 'https://pay.example',
          waits: [5],
          clock: Date.now,
        }),
      ),
      outside: undefined,
    },
    PAYMENTS_QUEUE_URL: {
      does: 'checkout/work-payments',
      run: groupWorker(
        paymentJob,
        sessionOf,
        workPayments({
          ...{ ...world, ...checkout, workRefund: refundWorker({ ...world, ...checkout }) },
          paymentsQueue: queueTo('PAYMENTS_QUEUE_URL'),
          simulatorSeconds: 60,
          lifetimeSeconds: 86_400,
          clock: Date.now,
        }),
      ),
      outside: undefined,
    },
    deliveries: {
      does: 'webhooks/attempt-delivery',
      run: groupWorker(
        deliveryJob,
        subscriptionOf,
        attemptDelivery({
          ...world,
          webhookTarget: { post: async () => ({ statusCode: 200, responseTime: 20, responseBody: 'ok' }) },
          lateWebhookDeliveriesQueue: startLateList<DeliveryJob>(),
          laneQueues: { fast: queueTo('deliveries'), slow: queueTo('slow') },
          waits: [5],
          // No lease lasts too long.
          clock: () => beganMs,
        }),
      ),
      outside: 'webhook',
    },
  } as const;

  /** Sends are counted with their function, and reading and deleting with the function that Lambda feeds. */
  const sendsOf = () => {
    const sent = sendRequests;
    sendRequests = 0;
    return sent;
  };

  const drainQueue = async (name: keyof typeof workers, batchSize: number): Promise<void> => {
    const { does, run, outside } = workers[name];
    for (const jobs of inBatches(take(name), batchSize)) {
      const Records = jobs.map((job, n) => ({ messageId: `${n}`, body: JSON.stringify(job) }));
      await meter.step(
        // Jobs of a group are made side by side, so the function waits for one.
        { does, invocations: 1, jobs: jobs.length, ...(outside && { outside: { [outside]: 1 } }) },
        () => run({ Records } as unknown as SQSEvent, context),
        () => {
          const sent = sendsOf();
          return { queueRequests: 2 + sent, queueWaits: sent };
        },
      );
    }
  };

  /** What the reader that counts has in its window. */
  const uncounted: DynamoDBRecord[] = [];

  const readStream = async (): Promise<boolean> => {
    const records: DynamoDBRecord[] = (await readRecords()).map(inOneSecond);
    uncounted.push(...records.filter((record) => entityOf(record) === 'message'));
    for (const Records of inBatches(records, 100))
      await meter.step(
        { does: 'outbox/route-changes', invocations: 1, jobs: Records.length },
        () => route({ Records }, { invokedFunctionArn: '' }),
        () => {
          const sent = sendsOf();
          return { queueRequests: sent, queueWaits: Math.min(1, sent) };
        },
      );
    return records.length > 0;
  };

  /** At the end of the window: all that came in it, together. */
  const countAll = async (): Promise<void> => {
    const Records = uncounted.splice(0);
    if (Records.length === 0) return;
    await meter.step({ does: 'messages/count-messages', invocations: 1, jobs: Records.length }, () =>
      count({ Records }),
    );
  };

  /** Until nothing follows any more. */
  const drain = async (batchSize: number): Promise<void> => {
    for (let isMore = true; isMore; ) {
      isMore = await readStream();
      for (const name of Object.keys(workers) as (keyof typeof workers)[]) {
        isMore ||= (waiting.get(name)?.length ?? 0) > 0;
        await drainQueue(name, batchSize);
      }
    }
  };

  const receive = receiveSesNotification(world);
  /** SES reports each email twice: that it was sent, and that it was delivered. */
  const notifyOfMail = async (accountId: string, messageId: string): Promise<void> => {
    for (const eventType of ['Send', 'Delivery'])
      await meter.step({ does: 'callbacks/receive-ses-notification', invocations: 1, jobs: 1, published: 1 }, () =>
        logAbout({ notificationId: messageId }, () =>
          receive({ eventType, mail: { tags: { accountId, messageId } } }, Date.now()),
        ),
      );
  };

  const notifyOfText = (account: { id: string; sealedKey: string }, messageId: string): Promise<void> =>
    meter.step({ does: 'callbacks/receive-sms-event', invocations: 1, jobs: 1, published: 1 }, () =>
      world.outcomeRecorder.record(account, messageId, { trigger: 'deliveryConfirmed', channel: 'sms' }, Date.now()),
    );

  return { drain, countAll, notifyOfMail, notifyOfText };
};

export type Flow = Awaited<ReturnType<typeof openFlow>>;
