import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { deliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { mostReplayed } from '../../../shared/webhooks/replay-span.ts';
import { call } from '../../../test/call.ts';
import { startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { resendFailedContract } from './contract.ts';
import { resendFailed } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
let id: string;
const queue = startList<DeliveryJob>();
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
  ({ id } = await calls.subscribe(account));
});
afterAll(() => world.close());

/** Reads two deliveries at a time. */
const resend = (body: unknown, webhookId = id, accountId = account.ref.id, webhookDeliveriesQueue = queue) => {
  const deliveries = deliveryStore(world.table, world.vault, { rowsPerLook: 2 });
  const needs = { ...world, deliveries, webhookDeliveriesQueue };
  return call(endpoint(resendFailedContract, resendFailed(needs), keylessSurface), {
    path: { id: accountId, webhookId },
    body,
  });
};

/** A delivery of this instant that ended with one attempt, unless that is to be followed by others. */
const delivery = async (atMs: number, statusCode: number, mostAttempts = 1): Promise<DeliveryJob> => {
  const job = (await calls.begin(account, { atMs })).find(({ webhook }) => webhook === id);
  if (!job) throw new Error('nothing was begun');
  await calls.record(job, { startedMs: atMs, statusCode }, mostAttempts);
  return job;
};

describe('POST …/deliveries/resend-failed', () => {
  it('202 begins a new round for every delivery since then that has failed, and for no other', async () => {
    const sinceMs = Date.now() - 10_000;
    await delivery(sinceMs - 1, 500);
    const failed = [await delivery(sinceMs, 500), await delivery(sinceMs + 5_000, 0)];
    await delivery(sinceMs + 1, 200);
    await delivery(sinceMs + 2, 500, 5);
    const { status, body } = await resend({ since: iso(sinceMs) });
    expect([status, body.data]).toEqual([202, { count: 2 }]);
    expect(queue.jobs).toEqual(failed.map((job) => ({ ...job, attempt: 2, earlierAttempts: 1 })));
    queue.jobs.length = 0;
    for (const job of failed) {
      const all = await world.attempts.load([job]);
      expect(all?.delivery(job)?.delivery).toMatchObject({ state: 'pending', earlierAttempts: 1 });
      await calls.record(job, { statusCode: 200 });
    }
    expect((await resend({ since: iso(sinceMs) })).body.data).toEqual({ count: 0 });
    expect(await world.webhooks.find(account.ref, id)).toMatchObject({ totalSent: 3, totalFailed: 1 });
  });

  it('202 leaves what is older than 30 days, though the table may keep it for a while', async () => {
    const owner = await world.newAccount();
    const { id: webhookId } = await calls.subscribe(owner);
    const jobs: DeliveryJob[] = [];
    for (const days of [31, 29]) jobs.push(...(await calls.begin(owner, { atMs: Date.now() - days * dayMs })));
    for (const job of jobs) await calls.record(job, { statusCode: 500 }, 1);
    queue.jobs.length = 0;
    expect((await resend({ since: iso(0) }, webhookId, owner.ref.id)).body.data).toEqual({ count: 1 });
    expect(queue.jobs).toMatchObject([{ delivery: jobs[1]?.delivery }]);
  });

  it('400 refuses a time since when there are more deliveries than one request can look through', async () => {
    const deliveries = { ...world.deliveries, countSince: async () => mostReplayed + 1 };
    const busy = resendFailed({ ...world, deliveries, webhookDeliveriesQueue: queue });
    const { status, body } = await call(endpoint(resendFailedContract, busy, keylessSurface), {
      path: { id: account.ref.id, webhookId: id },
      body: { since: iso(0) },
    });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'invalid_request',
      'since: more than 100000 deliveries, or 100 MB of their responses; choose a later time',
    ]);
  });

  it('202 begins a new round for what a pause has cancelled, where that is asked for', async () => {
    const owner = await world.newAccount();
    const { id: webhookId } = await calls.subscribe(owner);
    const sinceMs = Date.now();
    const [job] = await calls.begin(owner, { atMs: sinceMs });
    for (const isActive of [false, true]) await world.webhooks.change(owner.ref, webhookId, { isActive }, Date.now());
    queue.jobs.length = 0;
    const since = iso(sinceMs);
    expect((await resend({ since }, webhookId, owner.ref.id)).body.data).toEqual({ count: 0 });
    const states = ['failed', 'cancelled'];
    const broken = { ...queue, send: () => Promise.reject(new Error('killed')) };
    expect((await resend({ since, states }, webhookId, owner.ref.id, broken)).status).toBe(500);
    expect((await resend({ since, states }, webhookId, owner.ref.id)).body.data).toEqual({ count: 1 });
    expect(queue.jobs).toEqual([{ ...job, earlierAttempts: 0 }]);
  });

  it('202 makes up for a call that died before it queued anything', async () => {
    const sinceMs = Date.now();
    const job = await delivery(sinceMs, 500);
    const broken = { ...queue, send: () => Promise.reject(new Error('killed')) };
    expect((await resend({ since: iso(sinceMs) }, id, account.ref.id, broken)).status).toBe(500);
    queue.jobs.length = 0;
    expect((await resend({ since: iso(sinceMs) })).body.data).toEqual({ count: 1 });
    expect(queue.jobs).toEqual([{ ...job, attempt: 2, earlierAttempts: 1 }]);
  });

  it('400 refuses without a time, with none, and while the subscription is paused', async () => {
    expect((await resend({ since: '2026-11-20', states: ['succeeded'] })).body.error.code).toBe('invalid_request');
    for (const body of [{}, { since: 'yesterday' }, { since: 5 }]) {
      expect((await resend(body)).body.error).toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^since: /),
      });
    }
    const paused = await calls.subscribe(account, { isActive: false });
    expect((await resend({ since: '2026-11-20' }, paused.id)).body.error.code).toBe('invalid_request');
  });

  it('404 answers an unknown account, and a webhook that is not the account’s', async () => {
    const foreign = await calls.subscribe(await world.newAccount());
    const since = '2026-11-20T12:00:00Z';
    expect((await resend({ since }, id, newId(0))).body.error.code).toBe('account_not_found');
    for (const other of [foreign.id, newId(0), 'x']) {
      expect((await resend({ since }, other)).body.error.code).toBe('webhook_not_found');
    }
  });
});
