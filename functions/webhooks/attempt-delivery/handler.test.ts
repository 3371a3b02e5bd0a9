import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/kit/fault.ts';
import { newId } from '../../../shared/kit/id.ts';
import type { WebhookPost } from '../../../shared/providers/webhook/webhook-target.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { leasesIn } from '../../../shared/table/webhooks/lease-items.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { resending } from '../../../shared/webhooks/resend.ts';
import { emptyTally } from '../../../shared/webhooks/tally.ts';
import type { Guard } from '../../../shared/work/queue-worker.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { startLateList, startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { type AttemptDeliveryNeeds, attemptDelivery } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

const waits = [5, 60, 300, 1_800];
const tookMs = 300;

/** A subscription with a delivery to make, and a function to make it with. Time passes only while the target answers. */
const begun = async (answers: readonly number[] = []) => {
  account = await world.newAccount({ credits: { email: 1_000 } });
  const { id, secret } = await calls.subscribe(account);
  const [job] = await calls.first(account);
  if (!job) throw new Error('nothing was begun');
  let nowMs = Date.now();
  const posts: WebhookPost[] = [];
  const late = startLateList<DeliveryJob>();
  const fast = startList<DeliveryJob>();
  const slow = startList<DeliveryJob>();
  const webhookTarget = {
    post: async (post: WebhookPost) => {
      const statusCode = answers[posts.length] ?? 200;
      posts.push(post);
      nowMs += tookMs;
      return { statusCode, responseTime: tookMs, responseBody: `answer ${posts.length}` };
    },
  };
  const needs = {
    ...world,
    webhookTarget,
    lateWebhookDeliveriesQueue: late,
    laneQueues: { fast, slow },
    waits,
    clock: () => nowMs,
  };
  return {
    id,
    secret,
    job,
    posts,
    late,
    fast,
    slow,
    needs,
    now: () => nowMs,
    jumpTo: (timeMs: number) => {
      nowMs = timeMs;
    },
    webhook: () => world.webhooks.find(account.ref, id),
    log: async () => (await calls.logs(account.key, id)).body.data,
    /** One job under a lease of its own. What it throws comes out. */
    attempt: (which: DeliveryJob = job, more: Partial<AttemptDeliveryNeeds> = {}) =>
      attemptDelivery({ ...needs, ...more })([which], (_, work) => work()),
  };
};

const hmacOf = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

/** A guard that lets the other jobs go on, and the jobs that failed under it. */
const collecting = () => {
  const failed: DeliveryJob[] = [];
  const guard: Guard<DeliveryJob> = (job, work) =>
    work().catch(() => {
      failed.push(job);
      return undefined;
    });
  return { failed, guard };
};

/** Makes the attempts that are queued, each at its time, in whichever lane it waits, until none is left. */
const runAll = async ({ job, late, slow, attempt, jumpTo }: Awaited<ReturnType<typeof begun>>) => {
  const times: number[] = [];
  for (let next: DeliveryJob | undefined = job; next; ) {
    await attempt(next);
    const moved: DeliveryJob | undefined = slow.jobs.pop();
    const retry = late.sent.pop();
    if (retry) {
      times.push(retry.dueMs);
      jumpTo(retry.dueMs);
    }
    next = moved ?? retry?.job;
  }
  return times;
};

describe('a delivery', () => {
  it('is one POST that carries the stored body and both signatures, and counts as sent', async () => {
    const { id, secret, job, posts, late, attempt, webhook, log, now } = await begun();
    await attempt();
    const [{ url, body, headers } = { url: '', body: '', headers: {} }] = posts;
    expect([posts.length, url]).toEqual([1, 'https://example.com/hooks']);
    const [row] = await log();
    expect(JSON.parse(body)).toEqual(row.payload);
    const seconds = Math.floor((now() - tookMs) / 1_000);
    const hmac = hmacOf(secret, `${seconds}.${body}`);
    expect(headers).toMatchObject({
      'X-Service-Event': 'message.sent',
      'X-Service-Signature': `t=${seconds},v1=${hmac}`,
      'webhook-id': row.payload.id,
    });
    expect(row).toMatchObject({
      id: job.delivery,
      webhookId: id,
      success: true,
      attempts: 1,
      responseBody: 'answer 1',
    });
    expect(await webhook()).toMatchObject({ totalSent: 1, totalFailed: 0, lastSentAt: new Date(now()).toISOString() });
    expect(late.sent).toEqual([]);
  });

  it('is tried five times, at 0 s, 5 s, 1 min, 5 min and 30 min from the end of the attempt before, and then counts as failed', async () => {
    const run = await begun([500, 0, 302, 404, 503]);
    const startMs = run.now();
    const times = await runAll(run);
    const expected = waits.map(
      (_, made) => startMs + (made + 1) * tookMs + waits.slice(0, made + 1).reduce((sum, wait) => sum + wait) * 1_000,
    );
    expect(times).toEqual(expected);
    expect(run.posts).toHaveLength(5);
    expect(new Set(run.posts.map(({ body }) => body)).size).toBe(1);
    const webhook = await run.webhook();
    expect(webhook).toMatchObject({ totalSent: 0, totalFailed: 1, lastSentAt: null });
    expect(webhook?.lastFailedAt).toBe(new Date(run.now()).toISOString());
    expect(await run.log()).toMatchObject([{ attempts: 5, statusCode: 503, success: false, responseBody: 'answer 5' }]);
  });

  it('ends with the first success, which is what counts', async () => {
    const run = await begun([500, 503, 204, 500]);
    await runAll(run);
    expect(run.posts).toHaveLength(3);
    expect(await run.webhook()).toMatchObject({ totalSent: 1, totalFailed: 0, lastFailedAt: null });
    expect(await run.log()).toMatchObject([{ attempts: 3, statusCode: 204, success: true }]);
  });

  it('is signed with the secret that is current when the attempt is made', async () => {
    const { job, posts, attempt, id } = await begun([500, 200]);
    await attempt();
    const secret = 'f'.repeat(48);
    await world.webhooks.change(account.ref, id, { secret }, Date.now());
    await attempt({ ...job, attempt: 2 });
    const [, post] = posts;
    const signature = createHmac('sha256', secret)
      .update(post?.body ?? '')
      .digest('hex');
    expect(post?.headers['X-Webhook-Signature']).toBe(signature);
  });

  it('to a paused subscription ends without a call, and stays ended when that is resumed', async () => {
    const { id, job, posts, attempt, webhook, log } = await begun();
    await world.webhooks.change(account.ref, id, { isActive: false }, Date.now());
    await attempt();
    await world.webhooks.change(account.ref, id, { isActive: true }, Date.now());
    await attempt();
    expect(posts).toEqual([]);
    expect(await webhook()).toMatchObject({ totalSent: 0, totalFailed: 0 });
    expect(await log()).toMatchObject([{ id: job.delivery, attempts: 0, success: false }]);
  });

  it('is cancelled by a pause between its attempts, at once and for good, and is in neither total', async () => {
    const { id, job, posts, attempt, webhook } = await begun([500, 200]);
    const state = async () => {
      const subscription = (await webhook()) ?? expect.fail('no such webhook');
      const [kept] = await world.deliveries.list(
        account.ref,
        subscription,
        { cursor: undefined, limit: 1 },
        Date.now(),
      );
      return [kept?.state, kept?.attemptsMade, subscription.totalSent, subscription.totalFailed];
    };
    await attempt();
    expect(await state()).toEqual(['pending', 1, 0, 0]);
    await world.webhooks.change(account.ref, id, { isActive: false }, Date.now());
    expect(await state()).toEqual(['cancelled', 1, 0, 0]);
    await world.webhooks.change(account.ref, id, { isActive: true }, Date.now());
    expect(await state()).toEqual(['cancelled', 1, 0, 0]);
    await attempt({ ...job, attempt: 2 });
    expect([posts.length, await state()]).toEqual([1, ['cancelled', 1, 0, 0]]);
  });

  it('whose subscription is paused during its attempt keeps the outcome: it counts when it succeeded, else the delivery is cancelled', async () => {
    for (const [statusCode, states] of [
      [200, { totalSent: 1, totalFailed: 0 }],
      [500, { totalSent: 0, totalFailed: 0 }],
    ] as const) {
      const { id, job, needs, attempt, webhook, log } = await begun([statusCode]);
      const webhookTarget = {
        post: async (post: WebhookPost) => {
          await world.webhooks.change(account.ref, id, { isActive: false }, Date.now());
          await attempt({ ...job, attempt: 2 });
          await attempt();
          return needs.webhookTarget.post(post);
        },
      };
      await attempt(job, { webhookTarget });
      expect(await log()).toMatchObject([{ attempts: 1, statusCode }]);
      expect(await webhook()).toMatchObject(states);
    }
  });

  it('that the release before has stored without an attempt is made and counted like any other', async () => {
    const { id, attempt, posts, webhook } = await begun();
    const [stored] = await calls.begin(account);
    await world.table.update({
      Key: itemKeys.webhook(account.ref.id, id),
      UpdateExpression: 'SET totalSent = :sent, totalFailed = :failed, lastFailedAt = :at',
      ExpressionAttributeValues: { ':sent': 41, ':failed': 3, ':at': '2026-11-20T12:00:00.000Z' },
    });
    expect(stored).not.toHaveProperty('begins');
    await attempt(stored);
    expect(posts).toHaveLength(1);
    expect(await webhook()).toMatchObject({
      totalSent: 42,
      totalFailed: 3,
      lastFailedAt: '2026-11-20T12:00:00.000Z',
      lastSentAt: expect.any(String),
    });
  });

  it('to a deleted subscription, or one that was never there, is nothing', async () => {
    const { id, job, posts, attempt } = await begun();
    await attempt({ ...job, delivery: newId(Date.now()), begins: undefined });
    await world.webhooks.remove(account.ref, id);
    await attempt();
    expect(posts).toEqual([]);
  });

  it('does not bring back a subscription that is deleted while it is called', async () => {
    const { id, posts, attempt, needs, webhook } = await begun();
    const webhookTarget = {
      post: async (post: WebhookPost) => {
        await world.webhooks.remove(account.ref, id);
        return needs.webhookTarget.post(post);
      },
    };
    await attempt(undefined, { webhookTarget });
    expect([posts.length, await webhook()]).toEqual([1, undefined]);
  });
});

describe('an attempt that comes twice', () => {
  it('after its run died before the next one was queued: queues that, at the same time and under the same name', async () => {
    const { job, posts, late, attempt } = await begun([500]);
    const lateWebhookDeliveriesQueue = { sendAt: () => Promise.reject(new Error('killed')) };
    await expect(attempt(job, { lateWebhookDeliveriesQueue })).rejects.toThrow('killed');
    const lost = startLateList<DeliveryJob>();
    await attempt(job, { lateWebhookDeliveriesQueue: lost });
    await attempt(job, { lateWebhookDeliveriesQueue: late });
    expect(posts).toHaveLength(1);
    expect(late.sent).toEqual(lost.sent);
    expect(late.sent).toMatchObject([{ job: { ...job, attempt: 2 }, name: `retry-${job.delivery}-2` }]);
  });

  it('after its run died before it was written down: is made again and counts once', async () => {
    const { job, posts, attempt, webhook } = await begun();
    const attempts = { ...world.attempts, record: () => Promise.reject(new Error('killed')) };
    await expect(attempt(job, { attempts })).rejects.toThrow('killed');
    await attempt();
    expect(posts).toHaveLength(2);
    expect(await webhook()).toMatchObject({ totalSent: 1 });
  });

  it('because the table could not take its outcome: is written down later, without another call', async () => {
    const { job, posts, late, attempt, webhook, log } = await begun([503, 200]);
    const attempts = { ...world.attempts, record: () => Promise.reject(new Unavailable('the table is busy')) };
    await attempt(job, { attempts });
    const [again] = late.sent.splice(0);
    expect(again?.dueMs).toBeLessThan(Date.now() + 10_000);
    await attempt(again?.job);
    expect([posts.length, await log()]).toEqual([1, [expect.objectContaining({ attempts: 1, statusCode: 503 })]]);
    const [next] = late.sent;
    expect(next).toMatchObject({ name: `retry-${job.delivery}-2` });
    await attempt(next?.job);
    expect([posts.length, await webhook()]).toEqual([2, expect.objectContaining({ totalSent: 1, totalFailed: 0 })]);
  });

  it('because the answer of its record was lost: counts once, and the next one is queued', async () => {
    const { job, late, attempt, webhook, log } = await begun([500, 200]);
    for (const next of [job, { ...job, attempt: 2 }]) {
      let lost = 0;
      const isRecord = (input: string) => input.includes(job.delivery) && input.includes('attemptsMade');
      const stop = world.loseAnswers(
        (command, input) => !command.startsWith('Batch') && isRecord(input) && lost++ === 0,
      );
      await attempt(next);
      stop();
      expect(lost).toBe(2);
    }
    expect(late.sent).toMatchObject([{ name: `retry-${job.delivery}-2` }]);
    expect(await log()).toMatchObject([{ attempts: 2, success: true }]);
    expect(await webhook()).toMatchObject({ totalSent: 1, totalFailed: 0 });
  });

  it('at once: counts once, and the next one comes at one time', async () => {
    for (const answers of [
      [200, 200],
      [500, 500],
      [500, 200],
      [200, 500],
    ]) {
      const { late, attempt, webhook, log } = await begun(answers);
      // The one that finds the attempt of the other comes back, to see that it is counted.
      await Promise.allSettled([attempt(), attempt()]);
      await attempt();
      const [row] = await log();
      expect(row.attempts).toBe(1);
      const { totalSent = 0, totalFailed } = (await webhook()) ?? {};
      expect([totalSent, totalFailed]).toEqual([row.success ? 1 : 0, 0]);
      // The later of the two may find the attempt of the other, and queue the next one once more.
      expect(new Set(late.sent.map(({ name, dueMs }) => `${name} ${dueMs}`)).size).toBe(row.success ? 0 : 1);
    }
  });

  it('long after the delivery has gone on: changes nothing', async () => {
    const run = await begun([500, 500, 200]);
    await runAll(run);
    for (const attempt of [1, 2, 3]) await run.attempt({ ...run.job, attempt });
    expect(run.posts).toHaveLength(3);
    expect(run.late.sent).toEqual([]);
    expect(await run.webhook()).toMatchObject({ totalSent: 1, totalFailed: 0 });
  });

  it('of a series that was under way when its delivery was sent again: is not made, and queues nothing beside the new series', async () => {
    const run = await begun(Array.from({ length: 6 }, () => 500));
    await run.attempt();
    const [stale = expect.fail()] = run.late.sent.splice(0);
    const webhook = (await run.webhook()) ?? expect.fail();
    const again = await resending(world).resend(account.ref.id, webhook, run.job.delivery, run.now());
    for (const job of [again, stale.job]) await run.attempt(job);
    expect(run.late.sent).toMatchObject([{ name: `retry-${run.job.delivery}-3-1` }]);
    const [next = expect.fail()] = run.late.sent.splice(0);
    await runAll({ ...run, job: next.job });
    expect(run.posts).toHaveLength(6);
    expect(await run.log()).toMatchObject([{ attempts: 6 }]);
    expect(await run.webhook()).toMatchObject({ totalSent: 0, totalFailed: 1 });
  });
});

describe('a batch of deliveries to one subscription', () => {
  const batchFor = async (run: Awaited<ReturnType<typeof begun>>, length: number) => {
    const jobs = [run.job];
    while (jobs.length < length) jobs.push(...(await calls.first(account)));
    return jobs;
  };
  const through: Guard<DeliveryJob> = (_, work) => work();

  it('takes one lease, and goes on as long as the target is quick', async () => {
    const run = await begun();
    const jobs = await batchFor(run, 3);
    let entered = 0;
    const enter: typeof world.paces.enter = (...asked) => {
      entered += 1;
      return world.paces.enter(...asked);
    };
    const webhookTarget = { post: async () => ({ statusCode: 200, responseTime: 5, responseBody: '' }) };
    await attemptDelivery({ ...run.needs, webhookTarget, paces: { ...world.paces, enter } })(jobs, through);
    expect(entered).toBe(1);
    expect(await run.webhook()).toMatchObject({ totalSent: 3 });
    expect([...run.fast.jobs, ...run.slow.jobs]).toEqual([]);
  });

  it('ends when its time is over: the rest comes again, in the slow lane if the target took long', async () => {
    for (const [responseTime, lane] of [
      [999, 'fast'],
      [1_001, 'slow'],
    ] as const) {
      const run = await begun();
      const jobs = await batchFor(run, 3);
      const webhookTarget = {
        post: async () => {
          run.jumpTo(run.now() + responseTime);
          return { statusCode: 200, responseTime, responseBody: '' };
        },
      };
      await attemptDelivery({ ...run.needs, webhookTarget })(jobs, through);
      expect(await run.webhook()).toMatchObject({ totalSent: 1 });
      expect(run[lane].jobs).toEqual(jobs.slice(1).map((job) => ({ ...job, lane })));
      expect(run[lane].delays).toEqual([0, 0]);
    }
  });

  it.each([
    ['its secret is replaced', (id: string) => world.webhooks.change(account.ref, id, { secret: 'new' }, Date.now())],
    ['it is paused', (id: string) => world.webhooks.change(account.ref, id, { isActive: false }, Date.now())],
    ['it is deleted', (id: string) => world.webhooks.remove(account.ref, id)],
  ])(
    'in the slow lane: a delivery that begins after %s is made, if at all, as its subscription is then',
    async (what, change) => {
      const run = await begun();
      const jobs = (await batchFor(run, 3)).map((job): DeliveryJob => ({ ...job, lane: 'slow' }));
      const signed: string[] = [];
      const webhookTarget: typeof run.needs.webhookTarget = {
        post: async ({ body, headers }) => {
          signed.push(headers['X-Webhook-Signature'] === hmacOf('new', body) ? 'new' : 'old');
          run.jumpTo(run.now() + 1_001);
          if (signed.length === 1) await change(run.id);
          return { statusCode: 200, responseTime: 1_001, responseBody: '' };
        },
      };
      await attemptDelivery({ ...run.needs, webhookTarget })(jobs, through);
      expect(signed).toEqual(what === 'its secret is replaced' ? ['old', 'new', 'new'] : ['old']);
    },
  );

  it('whose run dies before it has counted: comes back, waits until that run must be over, and counts once', async () => {
    for (const answer of [200, 404]) {
      const run = await begun([answer, answer]);
      const jobs = await batchFor(run, 2);
      const attempt = (paces: typeof world.paces) => attemptDelivery({ ...run.needs, waits: [], paces })(jobs, through);
      const leave = () => Promise.reject(new Error('killed'));
      await expect(attempt({ ...world.paces, leave })).rejects.toThrow('killed');
      expect(await run.webhook()).toMatchObject({ totalSent: 0, totalFailed: 0 });
      await expect(attempt(world.paces)).rejects.toThrow('yet to count');
      run.jumpTo(run.now() + 30_001);
      for (let n = 0; n < 2; n += 1) await attempt(world.paces);
      const [totalSent, totalFailed] = answer === 200 ? [2, 0] : [0, 2];
      expect([run.posts.length, await run.webhook()]).toEqual([2, expect.objectContaining({ totalSent, totalFailed })]);
    }
  });

  it('whose lease was evicted, because its run lasted too long: counts none of its deliveries, and those that come back do', async () => {
    const run = await begun();
    const webhookTarget: typeof run.needs.webhookTarget = {
      post: async (post) => {
        run.jumpTo(run.now() + 30_001);
        const item = (await world.table.get(itemKeys.deliveryLeases(run.id))) ?? {};
        const [id = ''] = leasesIn(item).values();
        const lease = { id, item, webhook: run.id, callsAtOnce: 1, smallBatch: undefined, slots: [] };
        expect(await world.paces.endOf(lease, id, run.now())).toBe('evicted');
        return run.needs.webhookTarget.post(post);
      },
    };
    await expect(run.attempt(run.job, { webhookTarget })).rejects.toThrow('evicted');
    expect(await run.webhook()).toMatchObject({ totalSent: 0 });
    await Promise.all([run.attempt(), run.attempt()]);
    expect([run.posts.length, await run.webhook()]).toEqual([1, expect.objectContaining({ totalSent: 1 })]);
  });

  it('that does not know whether it recorded an outcome: counts none, and those that come back do, without another call', async () => {
    const run = await begun();
    const jobs = await batchFor(run, 3);
    const { failed, guard } = collecting();
    const { record } = world.attempts;
    const attempts = {
      ...world.attempts,
      record: async (...asked: Parameters<typeof record>) => {
        const recorded = await record(...asked);
        if (asked[0].delivery.id === jobs[1]?.delivery) throw new Unavailable('no answer');
        return recorded;
      },
    };
    const webhookTarget = { post: async () => ({ statusCode: 200, responseTime: 5, responseBody: '' }) };
    await attemptDelivery({ ...run.needs, attempts, webhookTarget })(jobs, guard);
    expect([failed, (await run.webhook())?.totalSent]).toEqual([[jobs[0], jobs[2]], 0]);
    const again = [...failed.splice(0), ...run.late.sent.splice(0).map(({ job }) => job)];
    for (const same of [again, again]) await attemptDelivery({ ...run.needs })(same, guard);
    expect([failed, run.posts, run.late.sent]).toEqual([[], [], []]);
    expect(await run.webhook()).toMatchObject({ totalSent: 3, totalFailed: 0 });
  });

  it('counts each delivery once, whichever runs die at whichever moment', async () => {
    const moments = ['never', 'never', 'before the record', 'after the record', 'before it leaves', 'after it left'];
    const deaths = fc.array(fc.constantFrom(...moments), { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(deaths, async (plan) => {
        const run = await begun();
        const jobs = await batchFor(run, 6);
        const webhookTarget = {
          post: async ({ body }: WebhookPost) => ({
            statusCode: body.charCodeAt(60) % 2 === 0 ? 200 : 500,
            responseTime: 5,
            responseBody: '',
          }),
        };
        const dies = () => Promise.reject(new Error('killed'));
        for (const death of [...plan, 'never']) {
          const { record } = world.attempts;
          const { leave } = world.paces;
          const attempts = {
            ...world.attempts,
            record: async (...asked: Parameters<typeof record>) => {
              if (death === 'before the record') return dies();
              const recorded = await record(...asked);
              return death === 'after the record' ? dies() : recorded;
            },
          };
          const paces = {
            ...world.paces,
            leave: async (...asked: Parameters<typeof leave>) => {
              if (death === 'never') return leave(...asked);
              if (death === 'after it left') await leave(...asked);
              return dies();
            },
          };
          const needs = { ...run.needs, waits: [], webhookTarget, attempts, paces };
          await attemptDelivery(needs)(jobs, through).catch(() => undefined);
          run.jumpTo(run.now() + 30_001);
        }
        const rows = await run.log();
        const sent = rows.filter(({ success }: { success: boolean }) => success).length;
        expect(rows).toHaveLength(6);
        expect(await run.webhook()).toMatchObject({ totalSent: sent, totalFailed: 6 - sent });
      }),
      { numRuns: modelRuns(3), seed: 12 },
    );
  });

  it('goes on with the other deliveries when one fails for a reason of ours', async () => {
    const run = await begun();
    const jobs = await batchFor(run, 3);
    const { failed, guard } = collecting();
    const { record } = world.attempts;
    const attempts = {
      ...world.attempts,
      record: (...asked: Parameters<typeof record>) =>
        asked[0].delivery.id === jobs[1]?.delivery ? Promise.reject(new Error('no')) : record(...asked),
    };
    const webhookTarget = { post: async () => ({ statusCode: 200, responseTime: 5, responseBody: '' }) };
    await attemptDelivery({ ...run.needs, attempts, webhookTarget })(jobs, guard);
    expect([failed, (await run.webhook())?.totalSent]).toEqual([[jobs[1]], 2]);
    expect(
      (
        await world.paces.enter(
          { ...run.job, url: 'https://example.com', deliveries: [run.job.delivery] },
          'fast',
          run.now(),
        )
      ).kind,
    ).toBe('entered');
  });
});

describe('many deliveries at once', () => {
  it('to one subscription are counted exactly', async () => {
    const run = await begun();
    const jobs = [run.job];
    while (jobs.length < 16) jobs.push(...(await calls.first(account)));
    const quick = { post: async () => ({ statusCode: 200, responseTime: 1, responseBody: '' }) };
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let job = jobs.pop(); job; job = jobs.pop()) await run.attempt(job, { webhookTarget: quick });
      }),
    );
    expect([...run.fast.jobs, ...run.slow.jobs]).toEqual([]);
    expect(await run.webhook()).toMatchObject({ totalSent: 16, totalFailed: 0 });
  });

  it('to a target that hangs take four slots; the others move to the slow lane, stored, and come back one after the other', async () => {
    const run = await begun();
    const jobs = [run.job];
    while (jobs.length < 7) jobs.push(...(await calls.first(account)));
    const hang = Promise.withResolvers<void>();
    let calling = 0;
    const webhookTarget = {
      post: async () => {
        calling += 1;
        await hang.promise;
        return { statusCode: 0, responseTime: 10_000, responseBody: 'No complete response within 10 seconds.' };
      },
    };
    const othersHaveAsked = Promise.withResolvers<void>();
    const warn: typeof world.paces.warn = async (...told) => {
      await othersHaveAsked.promise;
      return world.paces.warn(...told);
    };
    const attempt = (job: DeliveryJob | undefined) =>
      run.attempt(job, { webhookTarget, paces: { ...world.paces, warn } });
    const under = jobs.slice(0, 4).map(attempt);
    await expect.poll(() => calling).toBe(4);
    for (const job of jobs.slice(4)) await attempt(job);
    expect([run.fast.jobs, run.fast.delays]).toEqual([jobs.slice(4), [1, 1, 1]]);
    expect(await run.log()).toEqual([]);

    othersHaveAsked.resolve();
    // A second of the real clock: the worker itself notices that the answers do not come.
    const isWarned = async () => Number((await world.table.get(itemKeys.deliveryLeases(run.id)))?.['slowUntilMs']) > 0;
    await expect.poll(isWarned).toBe(true);
    for (const job of run.fast.jobs) await attempt(job);
    expect(run.slow.jobs).toEqual(jobs.slice(4).map((job) => ({ ...job, lane: 'slow' })));
    expect(run.slow.delays).toEqual([1, 2, 2]);
    expect(await run.log()).toMatchObject([{ attempts: 0 }, { attempts: 0 }, { attempts: 0 }]);
    const [moved] = run.slow.jobs;
    await attempt(moved);
    expect(run.slow.delays.at(-1)).toBe(3);
    expect(calling).toBe(4);
    hang.resolve();
    await Promise.all(under);
    await attempt(moved);
    expect(calling).toBe(5);
  });

  it('to a target that is quick again wait no longer behind those that it kept waiting while it was slow', async () => {
    const run = await begun();
    const at = { account: account.ref.id, webhook: run.id, url: 'https://example.com/hooks', deliveries: [newId(0)] };
    const lease = async (longestMs: number) => {
      const entry = await world.paces.enter(at, 'slow', run.now());
      if (entry.kind !== 'entered') throw new Error('all slots are taken');
      await world.paces.leave(entry.lease, { longestMs, answers: 1, tally: emptyTally }, run.now());
    };
    const waitMs = async () => (await world.paces.appoint(itemKeys.deliveryLeases(run.id), 600, run.now())) - run.now();
    await lease(1_200);
    expect([await waitMs(), await waitMs(), await waitMs()]).toEqual([600, 1_200, 1_800]);
    await lease(1_200);
    expect(await waitMs()).toBe(2_400);
    await lease(20);
    expect(await waitMs()).toBe(600);
  });

  it('to one host by 40 subscriptions are 32 at most at a time, and each is made', async () => {
    const run = await begun();
    const { ref } = account;
    const fields = { name: 'n', events: ['message.sent'], isActive: true };
    for (let n = 0; n < 39; n += 1)
      await world.webhooks.create(
        ref,
        newId(Date.now()),
        { ...fields, url: `https://example.com/${n}` },
        {
          secret: 's',
          most: 40,
        },
      );
    const jobs = await calls.first(account);
    expect(jobs).toHaveLength(40);
    const calling: number[] = [];
    for (let open = jobs; open.length > 0; open = run.fast.jobs.splice(0)) {
      // The target answers when each job has called it or was put off.
      const allHaveCome = Promise.withResolvers<void>();
      let [called, putOff] = [0, 0];
      const come = () => called + putOff === open.length && allHaveCome.resolve();
      const webhookTarget = {
        post: async () => {
          called += 1;
          come();
          await allHaveCome.promise;
          return { statusCode: 200, responseTime: 20, responseBody: '' };
        },
      };
      const fast = {
        send: async (...sent: Parameters<typeof run.fast.send>) => {
          await run.fast.send(...sent);
          putOff += 1;
          come();
        },
      };
      const more = { webhookTarget, laneQueues: { ...run.needs.laneQueues, fast } };
      await Promise.all(open.map((job) => run.attempt(job, more)));
      calling.push(called);
    }
    expect(Math.max(...calling)).toBeGreaterThan(4);
    expect(Math.max(...calling)).toBeLessThanOrEqual(32);
    expect(run.slow.jobs).toEqual([]);
    for (const { totalSent } of await world.webhooks.list(ref)) expect(totalSent).toBe(1);
  });
});
