import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import type { WebhookPost } from '../../../shared/providers/webhook/webhook-target.ts';
import { deliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import { newDelivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { startLateList, startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { attemptDelivery } from './handler.ts';
import { pauseFailing } from './pause-failing.ts';

let world: World;
let calls: WebhookCalls;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

/** Delivers one event at each of these days, so much later, with the answers of its target; a delivery has one attempt, and others after `waits`. */
const deliver = async (
  account: TestAccount,
  days: readonly (readonly [day: number, statusCode: number])[],
  laterMs = 0,
  waits: readonly number[] = [],
) => {
  const startMs = Date.now();
  for (const [day, statusCode] of days) {
    const atMs = startMs + day * dayMs;
    const nowMs = atMs + laterMs;
    const attempt = attemptDelivery({
      ...world,
      webhookTarget: { post: async (_: WebhookPost) => ({ statusCode, responseTime: 1, responseBody: '' }) },
      lateWebhookDeliveriesQueue: startLateList<DeliveryJob>(),
      laneQueues: { fast: startList<DeliveryJob>(), slow: startList<DeliveryJob>() },
      waits,
      clock: () => nowMs,
    });
    for (const job of await calls.first(account, { atMs })) await attempt([job], (_, work) => work());
  }
  return (day: number) => startMs + day * dayMs;
};

it.each([
  [
    'fails for less than 5 days',
    [
      [0, 500],
      [2, 500],
      [4.9, 500],
    ],
    true,
  ],
  [
    'fails for 5 days',
    [
      [0, 500],
      [2, 500],
      [5.001, 500],
    ],
    false,
  ],
  [
    'succeeds in between',
    [
      [0, 500],
      [4, 200],
      [5, 500],
      [8, 500],
    ],
    true,
  ],
  [
    'fails for 5 days after it succeeded',
    [
      [0, 200],
      [1, 500],
      [6.1, 500],
    ],
    false,
  ],
] as const)('a subscription that %s stays active or is paused', async (_, days, isActive) => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  await deliver(account, days);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive });
});

/** A worker at that time, whose targets answer as `post` does. */
const workAt = (nowMs: number, post: () => Promise<number>) =>
  attemptDelivery({
    ...world,
    webhookTarget: { post: async () => ({ statusCode: await post(), responseTime: 1, responseBody: '' }) },
    lateWebhookDeliveriesQueue: startLateList<DeliveryJob>(),
    laneQueues: { fast: startList<DeliveryJob>(), slow: startList<DeliveryJob>() },
    waits: [],
    clock: () => nowMs,
  });

it('a subscription that was quiet for days is not paused by one failed attempt, whose delivery has others', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  await deliver(account, [[0, 500]]);
  await deliver(account, [[6, 500]], 0, [5]);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: true });
  await deliver(account, [[6.1, 500]]);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: false });
});

it('a resumed subscription has 5 days from the next failure, and says since when its deliveries had failed until it is resumed', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const at = await deliver(account, [
    [0, 500],
    [5.001, 500],
  ]);
  const paused = await world.webhooks.find(account.ref, id);
  expect(paused).toMatchObject({ isActive: false });
  expect(Date.parse(paused?.missedSince ?? '')).toBe(at(0));
  await world.webhooks.change(account.ref, id, { isActive: true }, at(5.001));
  await deliver(account, [
    [6, 500],
    [10.9, 500],
  ]);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: true });
  await deliver(account, [[11.1, 500]]);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: false });
});

it.each([
  ['active', true],
  ['paused', false],
])(
  'a test that fails begins no days of failures, because receivers that verify signatures refuse tests: of a subscription that was created %s',
  async (_, isActive) => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { isActive });
    const target = (await world.webhooks.target(account.ref, id)) ?? expect.fail();
    const nowMs = Date.now();
    const test = newDelivery({ id: newId(nowMs), webhookId: id, event: 'webhook.test', payload: '{}' });
    await world.attempts.addEnded(target, test, {
      startedMs: nowMs,
      statusCode: 400,
      responseTime: 1,
      responseBody: '',
    });
    await world.webhooks.change(account.ref, id, { isActive: true }, nowMs + 6 * dayMs);
    await deliver(account, [[6.001, 500]]);
    expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: true, totalFailed: 2 });
  },
);

it('a subscription that is set active while it is active is paused as if it had not been', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const at = await deliver(account, [
    [0, 500],
    [4, 500],
  ]);
  await world.webhooks.change(account.ref, id, { isActive: true }, at(4));
  await deliver(account, [[5.001, 500]]);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: false });
});

it('a subscription that was resumed while a delivery to it failed stays active', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const read = (await world.webhooks.target(account.ref, id)) ?? expect.fail();
  const pause = pauseFailing({ ...world, waits: [] });
  const at = (day: number) => read.activeSinceMs + day * dayMs;
  const failed = { failingSince: new Date(at(0)).toISOString(), lastFailedAt: new Date(at(5)).toISOString() };
  await calls.failSince(id, failed.failingSince);
  const failing = async (day: number) => {
    await pause(read, failed, at(day));
    return (await world.webhooks.find(account.ref, id))?.isActive;
  };
  expect(await failing(5)).toBe(false);
  await world.webhooks.change(account.ref, id, { isActive: true }, at(5) + 1);
  expect(await failing(5.1)).toBe(true);
});

it('a subscription whose deliveries succeed again stays active, also while they are not counted yet and another one fails', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const at = await deliver(account, [
    [0, 500],
    [4, 500],
  ]);
  const jobs = await Array.fromAsync({ length: 6 }, () => calls.first(account, { atMs: at(5.001) }));
  const [failing = expect.fail(), ...succeeding] = jobs.flat();
  const work = (post: () => Promise<number>) => workAt(at(5.001), post);
  let posts = 0;
  const mended = work(async () => {
    posts += 1;
    if (posts === succeeding.length) await work(async () => 500)([failing], (_, one) => one());
    return 200;
  });
  await mended(succeeding, (_, one) => one());
  expect(posts).toBe(5);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: true, totalSent: 5, totalFailed: 3 });
});

it('a subscription that has had a success since its failures were read stays active', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const at = await deliver(account, [[0, 500]]);
  const deliveries: Pick<typeof world.deliveries, 'firstEventOf'> = {
    firstEventOf: async (...asked) => {
      await deliver(account, [[0.001, 200]]);
      return world.deliveries.firstEventOf(...asked);
    },
  };
  const failingSince = new Date(at(0) + 1).toISOString();
  const target = (await world.webhooks.target(account.ref, id)) ?? expect.fail();
  await pauseFailing({ ...world, deliveries, waits: [] })(target, { failingSince, lastFailedAt: failingSince }, at(6));
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: true });
});

it('a success that was counted before an earlier failure ends the days of that failure', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const jobs = await Array.fromAsync({ length: 2 }, () => calls.first(account));
  const [failing = expect.fail(), succeeding = expect.fail()] = jobs.flat();
  const startMs = Date.now();
  const work = (laterMs: number, post: () => Promise<number>) => workAt(startMs + laterMs, post);
  const failed = work(0, async () => {
    await work(5, async () => 200)([succeeding], (_, one) => one());
    return 500;
  });
  await failed([failing], (_, one) => one());
  await deliver(account, [[6, 500]]);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: true, totalSent: 1, totalFailed: 2 });
  await deliver(account, [[11.1, 500]]);
  expect(await world.webhooks.find(account.ref, id)).toMatchObject({ isActive: false });
});

it('a subscription is paused with the time of the first event that it missed, whose delivery failed much later', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const missed = [0.001, 0.002, 5.1].map((day) => [day, 500] as const);
  const at = await deliver(account, [[0, 200], ...missed], 1_800_000);
  const paused = await world.webhooks.find(account.ref, id);
  expect(Date.parse(paused?.missedSince ?? '')).toBe(at(0.001));
});

it.each([
  ['failed after deliveries of later events', [], 0.3],
  ['goes on', [5], 0],
] as const)(
  'a subscription whose target hangs is paused with the time of an event whose delivery has waited for hours, and %s',
  async (_, waits, laterDays) => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account);
    await deliver(account, [
      [0, 200],
      [0.2, 500],
    ]);
    const at = await deliver(account, [[0.01, 500]], laterDays * dayMs, waits);
    await deliver(account, [[5.3, 500]]);
    const paused = await world.webhooks.find(account.ref, id);
    expect(Date.parse(paused?.missedSince ?? '')).toBe(at(0.01));
  },
);

it('a busy subscription is paused with an earlier time, of the last event that is looked at', async () => {
  const account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const good = Array.from({ length: 8 }, (_, n) => [n / 10_000, 200] as const);
  const at = await deliver(account, [...good, [0.001, 500]], 1_800_000);
  const target = await world.webhooks.target(account.ref, id);
  if (!target) throw new Error('the subscription is gone');
  const deliveries = deliveryStore(world.table, world.vault, { rowsPerLook: 2 });
  const pause = pauseFailing({ ...world, deliveries, waits: [] });
  const failingSince = new Date(at(0.001) + 1_800_001).toISOString();
  await pause(target, { failingSince, lastFailedAt: failingSince }, at(6));
  const paused = await world.webhooks.find(account.ref, id);
  expect(Date.parse(paused?.missedSince ?? '')).toBe(at(0.0005));
});

it('a subscription of the checkout stays active: nothing could resume it', async () => {
  const { ref } = await world.newAccount();
  const target = { account: ref, id: newId(0), activeSinceMs: 0, isActive: true, pauses: 0, earlier: [] };
  const words = { name: 'Orders', url: 'https://shop.example/hooks', secret: 'secret' };
  const paused: string[] = [];
  const webhooks = { pauseFailing: async ({ id }: { readonly id: string }) => void paused.push(id) };
  const pause = pauseFailing({ ...world, webhooks, waits: [] });
  const at = new Date(0).toISOString();
  for (const api of ['checkout', 'messaging'] as const)
    await pause({ ...target, ...words, api }, { failingSince: at, lastFailedAt: at }, 6 * dayMs);
  expect(paused).toHaveLength(1);
});
