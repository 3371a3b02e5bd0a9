import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeOfId } from '../../../shared/kit/id.ts';
import { itemKeys, partitions } from '../../../shared/table/keys.ts';
import { uncountedLeasesIn } from '../../../shared/table/webhooks/lease-items.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { firstWindow } from '../../../shared/webhooks/pace.ts';
import { resending } from '../../../shared/webhooks/resend.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { inFull, modelRuns } from '../../../test/model-runs.ts';
import { startLateList, startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { attemptDelivery } from './handler.ts';

let world: World;
let calls: WebhookCalls;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

const deathMoments = ['never', 'never', 'never', 'before the record', 'after the record', 'before it leaves'] as const;
type Death = (typeof deathMoments)[number];

interface Fate {
  readonly death?: Death;
  /** Of the posts, in their order. */
  readonly statusCodes?: readonly number[];
  /** Happens during each post. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** A subscription, and a function that makes attempts, those of a call under one lease. */
const begun = async () => {
  const account = await world.newAccount({ credits: { email: 1_000 } });
  const { id } = await calls.subscribe(account);
  let nowMs = Date.now();
  const { record } = world.attempts;
  const { leave } = world.paces;
  const dies = () => Promise.reject(new Error('killed'));
  return {
    account,
    id,
    pass: (ms: number) => {
      nowMs += ms;
    },
    attempt: (jobs: readonly DeliveryJob[], { death = 'never', statusCodes = [], meanwhile }: Fate = {}) => {
      const answers = statusCodes.values();
      return attemptDelivery({
        ...world,
        webhookTarget: {
          post: async () => {
            const [statusCode, startedMs] = [answers.next().value ?? 200, nowMs];
            await meanwhile?.();
            return { statusCode, responseTime: 5 + nowMs - startedMs, responseBody: '' };
          },
        },
        lateWebhookDeliveriesQueue: startLateList(),
        laneQueues: { fast: startList(), slow: startList() },
        waits: [],
        clock: () => nowMs,
        attempts: {
          ...world.attempts,
          record: async (...asked: Parameters<typeof record>) => {
            if (death === 'before the record') return dies();
            const recorded = await record(...asked);
            return death === 'after the record' ? dies() : recorded;
          },
        },
        paces: { ...world.paces, leave: (...asked) => (death === 'before it leaves' ? dies() : leave(...asked)) },
      })(jobs, (_, work) => work());
    },
    totals: async () => {
      const { totalSent, totalFailed } = (await world.webhooks.find(account.ref, id)) ?? {};
      return { totalSent, totalFailed };
    },
    /** The same, from the deliveries. */
    recounted: async () => {
      const stretch = { from: '0', to: 'g', newestFirst: false };
      const items = await world.table.query(partitions.deliveries(id), stretch);
      const having = (total: string) => items.filter(({ countedAs }) => countedAs === total).length;
      return { totalSent: having('totalSent'), totalFailed: having('totalFailed') };
    },
    leasesThere: async () => uncountedLeasesIn((await world.table.get(itemKeys.deliveryLeases(id))) ?? {}).length,
  };
};

const step = fc.record({
  /** Deliveries that are made side by side. */
  made: fc.array(
    fc.record({
      /** Once more, by hand: which of those before. */
      resent: fc.option(fc.nat(20), { freq: 2 }),
      death: fc.constantFrom(...deathMoments),
      statusCode: fc.constantFrom(200, 200, 200, 500),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  /** How many of them share a lease. */
  perLease: fc.integer({ min: 1, max: 5 }),
  passedMs: fc.constantFrom(0, 0, 6_000, 31_000),
});

type Made = typeof step extends fc.Arbitrary<infer Step extends { made: unknown }> ? Step['made'] : never;

/** The batch of one lease: deliveries that begin, or that were among these before and are sent once more. */
const batchOf = async (
  { account, id }: Awaited<ReturnType<typeof begun>>,
  made: Made,
  jobs: readonly DeliveryJob[],
) => {
  const { resend } = resending({ deliveries: world.deliveries });
  const batch: DeliveryJob[] = [];
  for (const { resent } of made) {
    const { delivery } = (resent === null ? undefined : jobs[resent]) ?? {};
    const target = await world.webhooks.find(account.ref, id);
    const again = delivery && target && (await resend(account.ref.id, target, delivery, Date.now()));
    const [job] = again ? [again] : await calls.first(account);
    batch.push(job ?? expect.fail('nothing was begun'));
  }
  const statusCodes = made.map(({ statusCode }) => statusCode);
  return { batch, fate: { death: made[0]?.death ?? 'never', statusCodes } };
};

it('totals equal the deliveries, at any time unless a run died among several, whichever uncounted leases stay, die, meet or come again', {
  timeout: inFull ? 3_600_000 : 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      const subscription = await begun();
      const { attempt, pass, totals, recounted } = subscription;
      const jobs: DeliveryJob[] = [];
      // What a run has recorded that died among several deliveries is counted when they come back.
      let isCounted = true;
      for (const { made, perLease, passedMs } of steps) {
        const attempts: (() => Promise<unknown>)[] = [];
        for (let start = 0; start < made.length; start += perLease) {
          const { batch, fate } = await batchOf(subscription, made.slice(start, start + perLease), jobs);
          jobs.push(...batch);
          isCounted &&= batch.length === 1 || fate.death === 'never';
          attempts.push(() => attempt(batch, fate));
        }
        await Promise.allSettled(attempts.map((one) => one()));
        if (isCounted) expect(await totals()).toEqual(await recounted());
        pass(passedMs);
      }
      // Work that died is delivered again.
      pass(31_000);
      for (const job of jobs) await attempt([job]);
      const { totalSent = 0, totalFailed = 0 } = await totals();
      expect({ totalSent, totalFailed }).toEqual(await recounted());
      expect(totalSent + totalFailed).toBe(new Set(jobs.map(({ delivery }) => delivery)).size);
    }),
    { numRuns: modelRuns(4), seed: 7 },
  );
});

it('a single delivery costs two write units, one of which counts the delivery before', async () => {
  const { account, attempt, totals, leasesThere } = await begun();
  const { split } = countConsumption(world.calls);
  const written: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    const [job] = await calls.first(account);
    written.push((await split(() => attempt([job ?? expect.fail()]))).written);
    expect([await leasesThere(), await totals()]).toEqual([1, { totalSent: n + 1, totalFailed: 0 }]);
  }
  // The first one writes its subscription down at the host.
  expect(written.slice(1)).toEqual([2, 2, 2]);
});

it('a lease of up to four deliveries costs one write unit beside them, a longer one two', async () => {
  const { account, attempt, totals, leasesThere } = await begun();
  const { split } = countConsumption(world.calls);
  await attempt(await calls.first(account));
  let sent = 1;
  for (const [many, there] of [
    [2, 1],
    [4, 1],
    [5, 0],
  ] as const) {
    const jobs: DeliveryJob[] = [];
    for (let n = 0; n < many; n += 1) jobs.push(...(await calls.first(account)));
    const { written } = await split(() => attempt(jobs));
    sent += many;
    expect([written, await leasesThere(), await totals()]).toEqual([
      many + 2 - there,
      there,
      { totalSent: sent, totalFailed: 0 },
    ]);
  }
});

it('a lease leaves its slot after a failure and after the success that follows it, and stays after a further success', async () => {
  const { account, attempt, leasesThere, pass } = await begun();
  for (const [statusCode, there] of [
    [500, 0],
    [200, 0],
    [200, 1],
  ] as const) {
    const [job] = await calls.first(account);
    await attempt([job ?? expect.fail()], { statusCodes: [statusCode] });
    expect(await leasesThere()).toBe(there);
    pass(1_000);
  }
});

it('a delivery stays the last one that was sent while it is sent again, by hand, to a target that fails', async () => {
  const { account, id, attempt, leasesThere } = await begun();
  const [job = expect.fail()] = await calls.first(account);
  await attempt([job]);
  const sent = await world.webhooks.find(account.ref, id);
  expect([await leasesThere(), sent?.totalSent, sent?.lastSentAt]).toEqual([1, 1, expect.any(String)]);
  const { resend } = resending({ deliveries: world.deliveries });
  const again = await resend(account.ref.id, sent ?? expect.fail(), job.delivery, Date.now());
  expect(await world.webhooks.find(account.ref, id)).toEqual(sent);
  await attempt([again ?? expect.fail()], { statusCodes: [500] });
  const { totalSent, lastSentAt } = (await world.webhooks.find(account.ref, id)) ?? {};
  expect({ totalSent, lastSentAt }).toEqual({ totalSent: 1, lastSentAt: sent?.lastSentAt });
});

it('a delivery stays the last one that was sent after another fails that was under way by then', async () => {
  const { account, id, attempt, pass, leasesThere } = await begun();
  const [sent = expect.fail(), failing = expect.fail()] = [
    ...(await calls.first(account)),
    ...(await calls.first(account)),
  ];
  const [isUnderWay, isSent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const fails = async () => {
    isUnderWay.resolve();
    await isSent.promise;
  };
  let failed: Promise<unknown> | undefined;
  const meanwhile = async () => {
    failed = attempt([failing], { statusCodes: [500], meanwhile: fails });
    await isUnderWay.promise;
  };
  await attempt([sent], { meanwhile });
  const sentAt = async () => (await world.webhooks.find(account.ref, id))?.lastSentAt;
  const shown = await sentAt();
  pass(100);
  isSent.resolve();
  await failed;
  const failingSince = async () => (await world.table.get(itemKeys.deliveryLeases(id)))?.['failingSince'];
  const since = await failingSince();
  expect([await leasesThere(), shown, since]).toEqual([1, expect.any(String), expect.any(String)]);
  pass(100);
  await attempt(await calls.first(account), { statusCodes: [500] });
  expect([await leasesThere(), await sentAt(), await failingSince()]).toEqual([0, shown, since]);
});

it('a quick target gets more calls at once after leases that overlapped, as after others', async () => {
  const { account, id, attempt, totals } = await begun();
  const [first, second] = [await calls.first(account), await calls.first(account)];
  await attempt(first, { meanwhile: () => attempt(second) });
  expect((await world.table.get(itemKeys.deliveryLeases(id)))?.['window']).toBe(firstWindow + 1);
  expect(await totals()).toEqual({ totalSent: 2, totalFailed: 0 });
});

it('a delivery that is no longer kept stays counted', async () => {
  const monthMs = 31 * 24 * 60 * 60 * 1_000;
  const { account, id, attempt, totals, leasesThere } = await begun();
  const [job = expect.fail()] = await calls.first(account, { atMs: Date.now() - monthMs });
  expect(timeOfId(job.delivery)).toBeLessThan(Date.now() - 30 * 24 * 60 * 60 * 1_000);
  await attempt([job]);
  await world.table.remove(itemKeys.delivery(id, job.delivery));
  expect([await leasesThere(), await totals()]).toEqual([1, { totalSent: 1, totalFailed: 0 }]);
  const [next = expect.fail()] = await calls.first(account);
  await attempt([next]);
  expect([await leasesThere(), await totals()]).toEqual([1, { totalSent: 2, totalFailed: 0 }]);
});
