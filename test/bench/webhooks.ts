import type { SQSEvent } from 'aws-lambda';
import { attemptDelivery, groupOf } from '../../functions/webhooks/attempt-delivery/handler.ts';
import { workers } from '../../infra/workers.ts';
import { newId } from '../../shared/kit/id.ts';
import type { Item } from '../../shared/table/table.ts';
import { type DeliveryJob, deliveryJob } from '../../shared/webhooks/jobs.ts';
import type { Lane } from '../../shared/webhooks/pace.ts';
import { eventPublisher } from '../../shared/webhooks/publish.ts';
import { groupWorker } from '../../shared/work/queue-worker.ts';
import { countConsumption } from '../consumption.ts';
import { startLateList, webhookCalls } from '../webhook-calls.ts';
import type { World } from '../world.ts';

const events = ['message.sent', 'message.delivered'] as const;
const largestBatch = 10;

/** As a queue gives them to the worker: those of one subscription together, ten at most. */
const batchesOf = (jobs: readonly DeliveryJob[]): DeliveryJob[][] =>
  [...Map.groupBy(jobs, ({ webhook }) => webhook).values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / largestBatch) }, (_, n) =>
      all.slice(n * largestBatch, (n + 1) * largestBatch),
    ),
  );

interface Sent {
  readonly job: DeliveryJob;
  readonly dueMs: number;
}

/** The worker behind its two queues, with targets that answer like this. */
const workerOf = (world: World, answer: (url: string) => Promise<number>) => {
  const waiting: Record<Lane, Sent[]> = { fast: [], slow: [] };
  const queueOf = (lane: Lane) => ({
    send: async (jobs: readonly DeliveryJob[], { delaySeconds = 0 } = {}) =>
      void waiting[lane].push(...jobs.map((job) => ({ job, dueMs: Date.now() + delaySeconds * 1_000 }))),
  });
  const attempt = attemptDelivery({
    ...world,
    webhookTarget: {
      post: async ({ url }) => ({ statusCode: 200, responseTime: await answer(url), responseBody: 'ok' }),
    },
    lateWebhookDeliveriesQueue: startLateList<DeliveryJob>(),
    laneQueues: { fast: queueOf('fast'), slow: queueOf('slow') },
    waits: [5],
    clock: Date.now,
  });
  return { waiting, attempt: (batch: readonly DeliveryJob[]) => attempt(batch, (_, work) => work()), whole: attempt };
};

/** DynamoDB calls and write units of the two events of emails to two subscriptions, from the event to its last delivery. */
export const benchDeliveryUnits = async (world: World) => {
  const consumption = countConsumption(world.calls);
  const calls = webhookCalls(world);
  const measure = async (emails: number) => {
    const account = await world.newAccount({ credits: { email: 1_000 } });
    for (const n of [1, 2]) await calls.subscribe(account, { events, url: `https://target${n}.example.com/hooks` });
    const { attempt } = workerOf(world, async () => 20);
    const items: Item[] = [];
    for (let n = 0; n < emails; n += 1) items.push(await calls.acceptedItem(account));
    // A subscription notes its host once a day.
    for (const batch of batchesOf(await calls.first(account))) await attempt(batch);
    const jobs: DeliveryJob[] = [];
    const published = await consumption.split(async () => {
      for (const event of events) for (const item of items) jobs.push(...(await calls.publish(account, event, item)));
    });
    const attempted = await consumption.split(async () => {
      for (const batch of batchesOf(jobs)) await attempt(batch);
    });
    const each = (count: number) => Math.round((count / emails) * 10) / 10;
    return {
      'write units': each(published.written + attempted.written),
      'of them publishing': each(published.written),
      'all units': each(published.units + attempted.units),
      calls: each(published.calls + attempted.calls),
    };
  };
  return {
    'one email with two events to two subscriptions': await measure(1),
    'the same of ten emails at once, for each': await measure(10),
  };
};

const concurrencyOf = (lane: Lane): number => {
  const { on = [] } = workers.find(({ does }) => does === 'webhooks/attempt-delivery') ?? {};
  const queue = lane === 'fast' ? 'webhook-deliveries' : 'slow-webhook-deliveries';
  const source = [on].flat().find((one) => 'queue' in one && one.queue === queue);
  return (source && 'concurrency' in source && source.concurrency) || 1;
};

const atOnce = 50;
/** Until the window of a target is at its largest. */
const warmUp = 100;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs batches of a lane as its event source mapping does, until `isOver`. */
const drain = async (
  { waiting, whole }: ReturnType<typeof workerOf>,
  lane: Lane,
  isOver: () => boolean,
): Promise<void> => {
  const handler = groupWorker(deliveryJob, groupOf, whole);
  const context = { getRemainingTimeInMillis: () => 25_000 };
  const poll = async (): Promise<void> => {
    while (!isOver()) {
      const due = waiting[lane].filter(({ dueMs }) => dueMs <= Date.now()).slice(0, largestBatch);
      if (due.length === 0) await pause(5);
      else {
        waiting[lane] = waiting[lane].filter((one) => !due.includes(one));
        const Records = due.map(({ job }, n) => ({ messageId: `${n}`, body: JSON.stringify(job) }));
        const { batchItemFailures } = await handler({ Records } as SQSEvent, context);
        const back = batchItemFailures.flatMap(({ itemIdentifier }) => due[Number(itemIdentifier)] ?? []);
        waiting[lane].push(...back.map(({ job }) => ({ job, dueMs: Date.now() + 5_000 })));
      }
    }
  };
  await Promise.all(Array.from({ length: concurrencyOf(lane) }, poll));
};

/** How many deliveries a second a quick target gets, alone and beside one that hangs. Both have the same number of events waiting. */
export const benchDeliveryPace = async (world: World, events: number) => {
  const measure = async (targets: readonly string[]) => {
    const account = await world.newAccount();
    const fields = { name: 'n', events: ['message.sent'], isActive: true };
    for (const url of targets)
      await world.webhooks.create(account.ref, newId(Date.now()), { ...fields, url }, { secret: 's', most: 20 });
    const over = Promise.withResolvers<void>();
    let answered = 0;
    let [startMs, endMs] = [0, 0];
    const worker = workerOf(world, async (url) => {
      if (url.includes('hanging')) await over.promise;
      else {
        await pause(20);
        answered += 1;
        if (answered === warmUp) startMs = Date.now();
        if (answered === events) {
          endMs = Date.now();
          over.resolve();
        }
      }
      return url.includes('hanging') ? 10_000 : 20;
    });
    const { audienceOf, publish } = eventPublisher({
      ...world,
      webhookDeliveriesQueue: {
        send: async (jobs) => void worker.waiting.fast.push(...jobs.map((job) => ({ job, dueMs: 0 }))),
      },
    });
    const names = Array.from({ length: events }, () => `evt_${newId(Date.now())}`);
    const audience = await audienceOf(account.ref.id);
    const event = (id: string) => ({ id, name: 'message.sent', occurredMs: Date.now(), payload: '{}' });
    for (let n = 0; n < events; n += atOnce) await publish(audience, names.slice(n, n + atOnce).map(event));
    await Promise.all([drain(worker, 'fast', () => endMs > 0), drain(worker, 'slow', () => endMs > 0)]);
    return { 'deliveries a second': Math.round(((events - warmUp) * 1_000) / (endMs - startMs)) };
  };
  const [quick, hanging] = ['https://quick.example.com/', 'https://hanging.example.net/'];
  // Cold code would count against the first.
  await measure([quick]);
  return {
    'a target that answers within 20 ms': await measure([quick]),
    'the same beside one that hangs': await measure([quick, hanging]),
  };
};
