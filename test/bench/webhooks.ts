import { attemptDelivery } from '../../functions/webhooks/attempt-delivery/handler.ts';
import type { Item } from '../../shared/table/table.ts';
import type { DeliveryJob } from '../../shared/webhooks/jobs.ts';
import { countConsumption } from '../consumption.ts';
import { startLateList, startList, webhookCalls } from '../webhook-calls.ts';
import type { World } from '../world.ts';

const events = ['message.sent', 'message.delivered'] as const;
const longestLine = 10;

/** As a queue gives them to the worker: those of one subscription together, ten at most. */
const linesOf = (jobs: readonly DeliveryJob[]): DeliveryJob[][] =>
  [...Map.groupBy(jobs, ({ webhook }) => webhook).values()].flatMap((line) =>
    Array.from({ length: Math.ceil(line.length / longestLine) }, (_, n) =>
      line.slice(n * longestLine, (n + 1) * longestLine),
    ),
  );

/** The worker, with a target that answers like this. */
const workerOf = (world: World, answer: (url: string) => Promise<number>) => {
  const [fast, slow] = [startList<DeliveryJob>(), startList<DeliveryJob>()];
  const attempt = attemptDelivery({
    ...world,
    webhookTarget: {
      post: async ({ url }) => ({ statusCode: 200, responseTime: await answer(url), responseBody: 'ok' }),
    },
    lateWebhookDeliveriesQueue: startLateList<DeliveryJob>(),
    laneQueues: { fast, slow },
    waits: [5],
    clock: Date.now,
  });
  return { fast, slow, attempt: (line: readonly DeliveryJob[]) => attempt(line, (_, work) => work()) };
};

/** DynamoDB calls and write units of the two events of emails to two subscriptions, from the event to its last delivery. */
export const benchDeliveryUnits = async (world: World) => {
  const consumption = countConsumption(world.client);
  const calls = webhookCalls(world);
  const measure = async (emails: number) => {
    const account = await world.newAccount({ credits: { email: 1_000 } });
    for (const n of [1, 2]) await calls.subscribe(account, { events, url: `https://target${n}.example.com/hooks` });
    const { attempt } = workerOf(world, async () => 20);
    const items: Item[] = [];
    for (let n = 0; n < emails; n += 1) items.push(await calls.acceptedItem(account));
    // A subscription notes its host once a day.
    for (const line of linesOf(await calls.first(account))) await attempt(line);
    const jobs: DeliveryJob[] = [];
    const published = await consumption.split(async () => {
      for (const event of events) for (const item of items) jobs.push(...(await calls.publish(account, event, item)));
    });
    const attempted = await consumption.split(async () => {
      for (const line of linesOf(jobs)) await attempt(line);
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
