import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { call } from '../../../test/call.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { listEventsContract } from './contract.ts';
import { listEvents } from './handler.ts';

let world: World;
let calls: WebhookCalls;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

const list = ({ key }: TestAccount, query: Record<string, string> = {}) =>
  call(endpoint(listEventsContract, listEvents(world), world.callers('webhooks:manage')), { key, query });

/** The ids of all pages. */
const walk = async (account: TestAccount, query: Record<string, string> = {}): Promise<string[]> => {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await list(account, { ...query, ...(cursor && { cursor }) });
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    ({ cursor } = body.pagination);
    expect(body.pagination.hasMore).toBe(cursor !== null);
  }
  return ids;
};

const eventAt = (atMs: number, name = 'message.sent') => {
  const id = `evt_${newId(atMs)}`;
  return { id, name, occurredMs: atMs, payload: JSON.stringify({ id, event: name }), wantedBy: [] };
};

describe('GET /events', () => {
  it('200 lists what a subscription receives, to the letter, and what no subscription wants', async () => {
    const account = await world.newAccount();
    const item = await calls.acceptedItem(account);
    await calls.publish(account, 'message.sent', item);
    const { id } = await calls.subscribe(account, { events: ['message.delivered'] });
    const [job] = await calls.publish(account, 'message.delivered', item);
    const { body } = await list(account);
    expect(body.data.map(({ event }: { event: string }) => event)).toEqual(['message.sent', 'message.delivered']);
    expect(body.data[0].data.message.id).toBe(item['SK']);
    expect(body.pagination).toEqual({ cursor: null, hasMore: false });
    const all = job && (await world.attempts.load([job]));
    const loaded = job && all?.delivery(job);
    const payload = loaded && (await all?.payload(loaded));
    expect([body.data[1], loaded?.delivery.webhookId]).toEqual([JSON.parse(payload ?? ''), id]);
  });

  it('200 walks all pages in the order of writing, regardless of their size, and shows late events to those who go on', async () => {
    const account = await world.newAccount();
    const nowMs = Date.now();
    const early = Array.from({ length: 23 }, (_, n) => eventAt(nowMs - 60_000 + n));
    for (let n = 0; n < early.length; n += 2) await world.events.storeNumbered(account.ref, early.slice(n, n + 2));
    const ids = early.map(({ id }) => id);
    for (const limit of ['1', '7', '23', '100']) expect(await walk(account, { limit })).toEqual(ids);
    const late = eventAt(nowMs - 120_000);
    await world.events.storeNumbered(account.ref, [late]);
    const last = ids.at(-1) ?? '';
    expect(await walk(account, { cursor: last })).toEqual([late.id]);
    expect(await walk(account, { cursor: ids[4] ?? '', limit: '5' })).toEqual([...ids.slice(5), late.id]);
  });

  it('200 filters by time and type, and lists nothing older than 30 days', async () => {
    const account = await world.newAccount();
    const nowMs = Date.now();
    const events = [31, 20, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((days, n) =>
      eventAt(nowMs - days * dayMs, n % 2 === 0 ? 'message.sent' : 'message.failed'),
    );
    for (const event of events) await world.events.storeNumbered(account.ref, [event]);
    const ids = events.map(({ id }) => id);
    expect(await walk(account)).toEqual(ids.slice(1));
    const since = new Date(nowMs - 8 * dayMs).toISOString();
    expect(await walk(account, { since, limit: '3' })).toEqual(ids.slice(4));
    const failed = events.filter(({ name }) => name === 'message.failed').map(({ id }) => id);
    expect(await walk(account, { types: 'message.failed', limit: '2' })).toEqual(failed);
    expect(await walk(account, { types: 'message.failed,message.sent' })).toEqual(ids.slice(1));
    expect(await walk(account, { types: 'message.bounced' })).toEqual([]);
  });

  it('200 passes by no event that was numbered and is not stored yet', async () => {
    const account = await world.newAccount();
    const nowMs = Date.now();
    const [first, slow, after] = [eventAt(nowMs), eventAt(nowMs + 1), eventAt(nowMs + 2)];
    await world.events.storeNumbered(account.ref, [first, slow, after]);
    await world.table.remove(itemKeys.event(account.ref.id, slow.id));
    expect(await walk(account)).toEqual([first.id]);
    await world.events.storeNumbered(account.ref, [slow]);
    expect(await walk(account, { cursor: first.id })).toEqual([slow.id, after.id]);
  });

  it('200 lists all that came after an event that was stored late, also when nothing has happened since', async () => {
    const account = await world.newAccount();
    const nowMs = Date.now() - 1_000;
    const events = Array.from({ length: 101 }, (_, n) => eventAt(nowMs + n));
    const [first, slow, ...others] = events;
    if (!first || !slow) throw new Error('there are no events');
    await world.events.storeNumbered(account.ref, [first, slow]);
    await world.table.remove(itemKeys.event(account.ref.id, slow.id));
    for (let n = 0; n < others.length; n += 9) await world.events.storeNumbered(account.ref, others.slice(n, n + 9));
    expect(await walk(account)).toEqual([first.id]);
    await world.events.storeNumbered(account.ref, [slow]);
    const ids = events.map(({ id }) => id);
    expect(await walk(account)).toEqual(ids);
    expect(await walk(account, { cursor: slow.id })).toEqual(ids.slice(2));
  });

  it('200 lists nothing of another account', async () => {
    const [account, other] = [await world.newAccount(), await world.newAccount()];
    const event = eventAt(Date.now());
    await world.events.storeNumbered(other.ref, [event]);
    expect(await walk(account)).toEqual([]);
    expect((await list(account, { cursor: event.id })).status).toBe(400);
  });

  it.each([
    ['since', 'yesterday'],
    ['types', 'message.opened'],
    ['types', ''],
    ['limit', '0'],
    ['limit', '101'],
    ['cursor', 'x'],
    ['cursor', `evt_${newId(0)}`],
  ])('400 refuses %s=%s', async (field, value) => {
    const { status, body } = await list(await world.newAccount(), { [field]: value });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toContain(field);
  });
});
