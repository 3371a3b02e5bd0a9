import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
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

/** A replay, and the deliveries that its chores queue. */
const replay = async ({ key }: TestAccount, id: string, body: unknown) => {
  const replaysQueue = startList<ReplayJob>();
  const webhookDeliveriesQueue = startList<DeliveryJob>();
  const answer = await call(
    endpoint(replayEventsContract, replayEvents({ ...world, replaysQueue }), world.webhookCallers()),
    { key, path: { id }, body },
  );
  const work = replayPart({ ...world, replaysQueue, webhookDeliveriesQueue });
  for (const job of replaysQueue.jobs) await work(job, Date.now());
  return { answer, jobs: webhookDeliveriesQueue.jobs, chores: replaysQueue.jobs.length };
};

const hourMs = 3_600_000;
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

  it('202 leaves a long time to several chores, and begins each delivery once', async () => {
    const account = await world.newAccount();
    const { id } = await calls.subscribe(account, { events: ['message.sent'] });
    const nowMs = Date.now();
    const events = Array.from({ length: 150 }, (_, n) => ({
      id: `evt_${newId(nowMs - 10_000 + n)}`,
      name: 'message.sent',
      occurredMs: nowMs - 10_000 + n,
      payload: '{}',
      wantedBy: [id],
    }));
    for (let n = 0; n < events.length; n += 15) await world.events.publish(account.ref, events.slice(n, n + 15));
    const { answer, jobs, chores } = await replay(account, id, { since: iso(nowMs - hourMs) });
    expect(answer.body.data).toEqual({ deliveries: 150 });
    expect(jobs.map(({ begins }) => begins?.sequence)).toEqual(events.map((_, n) => n + 1));
    expect(chores).toBeGreaterThan(1);
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
    await world.events.publish(account.ref, slow ? [slow] : []);
    await world.table.remove(itemKeys.event(account.ref.id, slow?.id ?? ''));
    for (let n = 0; n < others.length; n += 10) await world.events.publish(account.ref, others.slice(n, n + 10));
    const { answer, jobs } = await replay(account, id, { since: iso(nowMs - hourMs) });
    expect(answer.body.data).toEqual({ deliveries: 81 });
    expect(jobs.map(({ begins }) => begins?.sequence)).toEqual(others.map((_, n) => n + 2));
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
