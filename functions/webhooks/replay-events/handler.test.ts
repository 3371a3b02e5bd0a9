import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { hourMs } from '../../../shared/kit/time-units.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { deliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import { newDelivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import type { ReplayJob } from '../../../shared/webhooks/replay-span.ts';
import { call } from '../../../test/call.ts';
import { startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { replayPart } from '../../chores/do-chore/replay-part.ts';
import { replayEventsContract } from './contract.ts';
import { replayEvents } from './handler.ts';

let world: World;
let calls: WebhookCalls;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

/** A tenth of what a run of a replay reads and queues otherwise. */
const smallRun = { mostAtOnce: 50, pagesPerRead: 10 };

/** A replay, and the deliveries that its chores queue. */
const replay = async ({ key }: TestAccount, id: string, body: unknown, replaysQueue = startList<ReplayJob>()) => {
  const webhookDeliveriesQueue = startList<DeliveryJob>();
  const answer = await call(
    endpoint(replayEventsContract, replayEvents({ ...world, replaysQueue }), world.webhookCallers()),
    { key, path: { id }, body },
  );
  const [pages, { read }] = [[] as number[], world.events];
  const events: typeof world.events = {
    ...world.events,
    read: (account, after, mostPages) => {
      pages.push(mostPages);
      return read(account, after, mostPages);
    },
  };
  const work = replayPart({ ...world, events, replaysQueue, webhookDeliveriesQueue }, smallRun);
  for (const job of replaysQueue.jobs) await work(job, Date.now());
  return { answer, jobs: webhookDeliveriesQueue.jobs, chores: replaysQueue.jobs.length, reads: pages.length };
};

/** Publishes so many events, each a millisecond after the one before. */
const publishMany = async (
  { ref }: TestAccount,
  webhook: string,
  count: number,
  fromMs: number,
  name = 'message.sent',
) => {
  const events = Array.from({ length: count }, (_, n) => ({
    id: `evt_${newId(fromMs + n)}`,
    name,
    occurredMs: fromMs + n,
    payload: '{}',
    wantedBy: [webhook],
  }));
  for (let n = 0; n < events.length; n += 15) await world.events.storeNumbered(ref, events.slice(n, n + 15));
};

const iso = (timeMs: number) => new Date(timeMs).toISOString();

describe('POST /webhooks/{id}/replay', () => {
  it('202 delivers what happened in the time again, under the same ids and numbers, and what was missed', async () => {
    const account = await world.newAccount();
    const nowMs = Date.now();
    await calls.first(account, { atMs: nowMs - 5 * hourMs });
    const { id } = await calls.subscribe(account, { events: ['message.sent'] });
    const [done] = await calls.first(account, { atMs: nowMs - 4 * hourMs });
    await world.webhooks.change(account.ref, id, { isActive: false }, nowMs);
    expect(await calls.first(account, { atMs: nowMs - 3 * hourMs })).toEqual([]);
    await world.webhooks.change(account.ref, id, { isActive: true }, nowMs);
    await calls.first(account, { atMs: nowMs - hourMs });
    await calls.first(account, { name: 'message.failed', atMs: nowMs - 3 * hourMs });
    if (done) await calls.record(done, { statusCode: 200 });

    const all = await replay(account, id, { since: iso(nowMs - 24 * hourMs) });
    expect([all.answer.status, all.answer.body.data]).toEqual([202, { deliveries: 4 }]);
    expect(all.jobs.map(({ begins }) => begins?.sequence)).toEqual([0, undefined, 2, 3]);
    expect(all.jobs[1]).toMatchObject({ delivery: done?.delivery, attempt: 2 });
    const again = all.jobs[1] && (await world.attempts.load([all.jobs[1]]))?.delivery(all.jobs[1]);
    expect(again?.delivery).toMatchObject({ sequence: 1, state: 'pending', eventId: done?.begins?.eventId });

    const some = { since: iso(nowMs - 4 * hourMs), until: iso(nowMs - 2 * hourMs), events: ['message.sent'] };
    expect((await replay(account, id, some)).answer.body.data).toEqual({ deliveries: 2 });
    const none = { since: iso(nowMs - 24 * hourMs), events: ['message.failed'] };
    expect(await replay(account, id, none)).toMatchObject({ answer: { body: { data: { deliveries: 0 } } }, chores: 0 });
  });

  it('202 with onlyFailed delivers again what has failed, and nothing else', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account);
    const nowMs = Date.now();
    const jobs: DeliveryJob[] = [];
    for (let n = 0; n < 4; n += 1) jobs.push(...(await calls.first(account, { atMs: nowMs - n * hourMs })));
    for (const [n, job] of jobs.entries()) await calls.record(job, { statusCode: n === 0 ? 200 : 500 }, 1);
    const { answer, jobs: begun } = await replay(account, id, { since: iso(nowMs - 2 * hourMs), onlyFailed: true });
    expect(answer.body.data).toEqual({ deliveries: 2 });
    expect(begun.map(({ delivery }) => delivery).sort()).toEqual(
      jobs
        .slice(1, 3)
        .map(({ delivery }) => delivery)
        .sort(),
    );
  });

  it('202 with onlyFailed neither counts nor repeats a failed test, also of a subscription that names its event', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent', 'webhook.test'] });
    const nowMs = Date.now();
    const target = (await world.webhooks.target(account.ref, id)) ?? expect.fail();
    const test = newDelivery({ id: newId(nowMs - 1), webhookId: id, event: 'webhook.test', payload: '{}' });
    const refused = { startedMs: nowMs - 1, statusCode: 500, responseTime: 1, responseBody: '' };
    await world.attempts.addEnded(target, test, refused);
    const { answer, jobs } = await replay(account, id, { since: iso(nowMs - hourMs), onlyFailed: true });
    expect([answer.body.data, jobs]).toEqual([{ deliveries: 0 }, []]);
  });

  it('202 delivers nothing again that is older than 30 days, though the table may keep it for a while', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account);
    const nowMs = Date.now();
    const jobs: DeliveryJob[] = [];
    for (const days of [31, 29]) jobs.push(...(await calls.first(account, { atMs: nowMs - days * 24 * hourMs })));
    for (const job of jobs) await calls.record(job, { statusCode: 500 }, 1);
    for (const onlyFailed of [true, false]) {
      const all = await replay(account, id, { since: iso(0), onlyFailed });
      expect(all.answer.body.data, String(onlyFailed)).toEqual({ deliveries: 1 });
      expect(all.jobs, String(onlyFailed)).toMatchObject([{ delivery: jobs[1]?.delivery }]);
    }
    const before = { since: iso(0), until: iso(nowMs - 31 * 24 * hourMs), onlyFailed: true };
    expect((await replay(account, id, before)).answer.body.data).toEqual({ deliveries: 0 });
  });

  it('does not take those that failed after too many others for none', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account);
    const nowMs = Date.now();
    for (const [hours, statusCode] of [
      [3, 200],
      [2, 200],
      [1, 500],
    ] as const)
      for (const job of await calls.first(account, { atMs: nowMs - hours * hourMs }))
        await calls.record(job, { statusCode }, 1);
    const webhook = await world.webhooks.find(account.ref, id);
    const countAmong = (most: number) =>
      webhook && world.deliveries.countFailed(webhook, { sinceMs: 0, untilMs: nowMs, names: webhook.events }, most);
    expect([await countAmong(3), await countAmong(2)]).toEqual([1, 3]);
  });

  it('refuses a time whose deliveries hold more answers than a request can read', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account);
    const nowMs = Date.now();
    const item = await calls.acceptedItem(account, nowMs);
    for (let n = 0; n < 30; n += 1)
      for (const job of await calls.publish(account, 'message.sent', item, nowMs - n))
        await calls.fail(job, 5, '😀'.repeat(2_000));
    const deliveries = deliveryStore(world.table, world.vault, { mostMegabytes: 1 });
    const webhook = (await world.webhooks.find(account.ref, id)) ?? expect.fail();
    const span = { sinceMs: 0, untilMs: nowMs, names: webhook.events };
    const read: string[] = [];
    const stopTap = world.calls.tap('reads', (next) => (name, input) => {
      read.push('Select' in input ? 'counted' : 'read');
      return next(name, input);
    });
    expect(await world.deliveries.countFailed(webhook, span, 100)).toBe(30);
    stopTap();
    expect(new Set(read), 'each row is read once, and not to be counted first').toEqual(new Set(['read']));
    expect(await deliveries.countFailed(webhook, span, 100)).toBe(101);
    expect(await deliveries.countSince(webhook, 0, 101)).toBe(101);
  });

  it('202 leaves what happens after the request to its own deliveries, also where `until` is later', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent'] });
    const nowMs = Date.now();
    await publishMany(account, id, 2, nowMs - hourMs);
    const list = startList<ReplayJob>();
    const send: typeof list.send = async (sent) => {
      await list.send(sent);
      await publishMany(account, id, 1, nowMs + 60_000);
    };
    const period = { since: iso(nowMs - 2 * hourMs), until: iso(nowMs + hourMs) };
    const { answer, jobs } = await replay(account, id, period, { ...list, send });
    expect([answer.body.data, jobs.length]).toEqual([{ deliveries: 2 }, 2]);
  });

  it('202 leaves a long time to several chores, and begins each delivery once', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent'] });
    const nowMs = Date.now();
    await publishMany(account, id, 75, nowMs - 10_000);
    const { answer, jobs, chores } = await replay(account, id, { since: iso(nowMs - hourMs) });
    expect(answer.body.data).toEqual({ deliveries: 75 });
    expect(jobs.map(({ begins }) => begins?.sequence)).toEqual(Array.from({ length: 75 }, (_, n) => n + 1));
    expect(chores).toBe(2);
  });

  it('202 finds few events among many without a chore for each part of the log, and looks no further than a day after the period', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent', 'message.failed'] });
    const nowMs = Date.now();
    await publishMany(account, id, 5, nowMs - 72 * hourMs);
    await publishMany(account, id, 100, nowMs - 24 * hourMs);
    await publishMany(account, id, 3, nowMs - hourMs, 'message.failed');
    const old = await replay(account, id, { since: iso(nowMs - 73 * hourMs), until: iso(nowMs - 71 * hourMs) });
    expect(old.answer.body.data).toEqual({ deliveries: 5 });
    expect([old.jobs.length, old.chores, old.reads]).toEqual([5, 1, 1]);
    const rare = await replay(account, id, { since: iso(nowMs - 80 * hourMs), events: ['message.failed'] });
    expect(rare.answer.body.data).toEqual({ deliveries: 3 });
    expect([rare.jobs.length, rare.chores]).toEqual([3, 1]);
    const span = { sinceMs: nowMs - 80 * hourMs, untilMs: nowMs, names: ['message.failed'] };
    const countOf = (mostLooked: number) => world.events.count(account.ref.id, span, nowMs, { most: 10, mostLooked });
    expect([await countOf(200), await countOf(50)]).toEqual([3, 11]);
  });

  it('202 counts the events of a period, however many happened in the day after it', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent'] });
    const nowMs = Date.now();
    await publishMany(account, id, 5, nowMs - 72 * hourMs);
    await publishMany(account, id, 30, nowMs - 60 * hourMs);
    const span = { sinceMs: nowMs - 73 * hourMs, untilMs: nowMs - 71 * hourMs, names: ['message.sent'] };
    expect(await world.events.count(account.ref.id, span, nowMs, { most: 10, mostLooked: 10 })).toBe(5);
  });

  it('202 delivers also what came after an event that is not stored yet, which its own job delivers', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent'] });
    const nowMs = Date.now();
    const events = Array.from({ length: 81 }, (_, n) => ({
      id: `evt_${newId(nowMs - 10_000 + n)}`,
      name: 'message.sent',
      occurredMs: nowMs - 10_000 + n,
      payload: '{}',
      wantedBy: [id],
    }));
    const [slow, ...others] = events;
    await world.events.storeNumbered(account.ref, slow ? [slow] : []);
    await world.table.remove(itemKeys.event(account.ref.id, slow?.id ?? ''));
    for (let n = 0; n < others.length; n += 10) await world.events.storeNumbered(account.ref, others.slice(n, n + 10));
    const { answer, jobs } = await replay(account, id, { since: iso(nowMs - hourMs) });
    expect(answer.body.data).toEqual({ deliveries: 81 });
    expect(jobs.map(({ begins }) => begins?.sequence)).toEqual(others.map((_, n) => n + 2));
  });

  it('202 delivers as many as it says, also where some were recorded days late', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent'] });
    const nowMs = Date.now();
    await publishMany(account, id, 1, nowMs - 80 * hourMs);
    await publishMany(account, id, 300, nowMs - 2 * hourMs);
    await publishMany(account, id, 3, nowMs - 72 * hourMs);
    await publishMany(account, id, 30, nowMs - hourMs);
    const period = { since: iso(nowMs - 73 * hourMs), until: iso(nowMs - 71 * hourMs) };
    const { answer, jobs } = await replay(account, id, period);
    expect(answer.body.data).toEqual({ deliveries: jobs.length });
    const later = await replay(account, id, { ...period, until: iso(nowMs - 25 * hourMs) });
    expect([later.answer.body.data, later.jobs.length]).toEqual([{ deliveries: 3 }, 3]);
  });

  it.each([
    ['since', {}],
    ['since', { since: 'yesterday' }],
    ['until', { since: '2026-11-20T12:00:00Z', until: '2026-11-20T11:00:00Z' }],
    ['since', { since: '2999-01-01T00:00:00Z' }],
    ['events', { since: '2026-11-20T12:00:00Z', events: [] }],
    ['events', { since: '2026-11-20T12:00:00Z', events: ['message.opened'] }],
    ['onlyFailed', { since: '2026-11-20T12:00:00Z', onlyFailed: 'yes' }],
  ])('400 refuses a bad %s, and delivers nothing', async (field, body) => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account);
    const { answer, chores } = await replay(account, id, body);
    expect([answer.status, answer.body.error, chores]).toEqual([400, 'invalid_request', 0]);
    expect(answer.body.message).toContain(field);
  });

  it('400 refuses while the subscription is paused, and 404 one that is not the account’s', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { isActive: false });
    const body = { since: '2026-11-20T12:00:00Z' };
    expect((await replay(account, id, body)).answer.body).toMatchObject({ statusCode: 400 });
    const foreign = await calls.subscribe(await world.newAccount());
    for (const other of [foreign.id, newId(0), 'x'])
      expect((await replay(account, other, body)).answer.body).toMatchObject({ error: 'webhook_not_found' });
  });
});
