import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { deliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { call } from '../../../test/call.ts';
import { startWaitingList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { listLogsContract } from './contract.ts';
import { listLogs } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount({ credits: { email: 1_000 } });
});
afterAll(() => world.close());

/** A subscription with a delivery for each of these instants. */
const withDeliveries = async (times: readonly number[]) => {
  const { key, ref } = await world.newAccount({ credits: { email: 1_000 } });
  const owner = { key, ref };
  const { id } = await calls.subscribe(owner);
  const list = startWaitingList(world);
  const item = await calls.acceptedItem(owner, Math.min(...times));
  for (const atMs of times) await list.send(await calls.publish(owner, 'message.sent', item, atMs));
  return { owner, id, jobs: list.jobs };
};

/** A subscription with a number of deliveries of events whose message has this metadata. */
const withLarge = async (metadata: Record<string, unknown>, count: number) => {
  const { key, ref } = await world.newAccount({ credits: { email: 1_000 } });
  const { id } = await calls.subscribe({ key, ref });
  const [nowMs, list] = [Date.now(), startWaitingList(world)];
  const item = await calls.acceptedItem({ key, ref }, nowMs, metadata);
  for (let n = 0; n < count; n += 1)
    await list.send(await calls.publish({ key, ref }, 'message.sent', item, nowMs + n));
  return { key, id };
};

const record = (job: DeliveryJob, statusCode: number, responseBody = '') =>
  calls.record(job, { statusCode, responseTime: 12, responseBody });

describe('GET /webhooks/{id}/logs', () => {
  it('200 shows one row for a delivery, with all that was sent and what the last attempt brought', async () => {
    const nowMs = Date.now();
    const { owner, id, jobs } = await withDeliveries([nowMs]);
    const [job] = jobs;
    if (!job) throw new Error('nothing was begun');
    await record(job, 500, 'first');
    await record(job, 503, 'second');
    const { status, body } = await calls.logs(owner.key, id);
    expect([status, Object.keys(body)]).toEqual([200, ['data', 'total', 'page', 'limit', 'pages']]);
    expect(body).toMatchObject({ total: 1, page: 1, limit: 20, pages: 1 });
    expect(body.data).toEqual([
      {
        id: job.delivery,
        webhookId: id,
        event: 'message.sent',
        payload: {
          id: expect.stringMatching(/^evt_/),
          event: 'message.sent',
          createdAt: new Date(nowMs).toISOString(),
          data: { message: expect.objectContaining({ to: 'ada@example.com', metadata: { orderId: 'A-17' } }) },
        },
        statusCode: 503,
        responseBody: 'second',
        responseTime: 12,
        success: false,
        attempts: 2,
        createdAt: new Date(nowMs).toISOString(),
      },
    ]);
    await record(job, 204);
    expect((await calls.logs(owner.key, id)).body.data).toMatchObject([
      { statusCode: 204, success: true, attempts: 3 },
    ]);
  });

  it('200 shows a delivery that waits for its first attempt', async () => {
    const { owner, id } = await withDeliveries([Date.now()]);
    expect((await calls.logs(owner.key, id)).body.data).toMatchObject([
      { statusCode: 0, responseBody: '', responseTime: 0, success: false, attempts: 0 },
    ]);
  });

  it('200 pages from the newest to the oldest', async () => {
    const nowMs = Date.now();
    const { owner, id, jobs } = await withDeliveries(Array.from({ length: 7 }, (_, n) => nowMs - n * 1_000));
    const newestFirst = jobs.map(({ delivery }) => delivery);
    const pages = [];
    for (const page of ['1', '2', '3', '4']) pages.push((await calls.logs(owner.key, id, { page, limit: '3' })).body);
    expect(pages.map(({ data }) => data.map((row: { id: string }) => row.id))).toEqual([
      newestFirst.slice(0, 3),
      newestFirst.slice(3, 6),
      newestFirst.slice(6),
      [],
    ]);
    for (const [n, page] of pages.entries()) expect(page).toMatchObject({ total: 7, page: n + 1, limit: 3, pages: 3 });
  });

  it('200 counts and pages the newest deliveries only, where there are more than a request can count', async () => {
    const nowMs = Date.now();
    const { owner, id, jobs } = await withDeliveries(Array.from({ length: 7 }, (_, n) => nowMs - n * 1_000));
    const deliveries = deliveryStore(world.table, world.vault, { mostCounted: 5 });
    const logs = endpoint(listLogsContract, listLogs({ ...world, deliveries }), world.webhookCallers());
    const page = async (number: string) =>
      (await call(logs, { key: owner.key, path: { id }, query: { page: number, limit: '3' } })).body;
    const newestFirst = jobs.map(({ delivery }) => delivery);
    const [second, third] = [await page('2'), await page('3')];
    expect(second).toMatchObject({ total: 5, pages: 2 });
    expect(second.data.map((row: { id: string }) => row.id)).toEqual(newestFirst.slice(3, 5));
    expect(third).toMatchObject({ data: [], total: 5, pages: 2 });
  });

  it('200 keeps the last one on its page when another delivery begins after they were counted', async () => {
    const nowMs = Date.now();
    const { owner, id, jobs } = await withDeliveries([nowMs - 1_000, nowMs - 2_000]);
    const later: DeliveryJob[] = [];
    const count: World['table']['count'] = async (...asked) => {
      const total = await world.table.count(...asked);
      if (later.length === 0) later.push(...(await calls.begin(owner, { atMs: nowMs })));
      return total;
    };
    const deliveries = deliveryStore({ ...world.table, count }, world.vault);
    const logs = endpoint(listLogsContract, listLogs({ ...world, deliveries }), world.webhookCallers());
    const { body } = await call(logs, { key: owner.key, path: { id } });
    expect(body.data.map((row: { id: string }) => row.id)).toEqual([...later, ...jobs].map(({ delivery }) => delivery));
    expect(body).toMatchObject({ total: 3, pages: 1 });
  });

  it('200 answers no rows where there are none, and none that are over 30 days old', async () => {
    const { owner, id } = await withDeliveries([Date.now() - 30 * dayMs - 60_000]);
    expect((await calls.logs(owner.key, id)).body).toEqual({ data: [], total: 0, page: 1, limit: 20, pages: 0 });
    const recent = await withDeliveries([Date.now() - 30 * dayMs + 60_000]);
    expect((await calls.logs(recent.owner.key, recent.id)).body.total).toBe(1);
  });

  it('leaves nothing that names people readable in the table, and has rows expire after 30 days', async () => {
    const { owner, jobs } = await withDeliveries([Date.now()]);
    const [job] = jobs;
    if (job) await record(job, 200, 'Thank you, Ada Lovelace');
    const rows = (await world.scan()).filter(({ entity, account: of }) => entity === 'delivery' && of === owner.ref.id);
    expect(rows).toHaveLength(1);
    const bytes = JSON.stringify(rows, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    for (const text of ['ada@example.com', 'Lovelace', 'A-17']) expect(bytes).not.toContain(text);
    const expiresInMs = Number(rows[0]?.['expiresAt']) * 1_000 - Date.now();
    expect(expiresInMs).toBeGreaterThan(30 * dayMs - 60_000);
    // TTL counts in seconds.
    expect(expiresInMs).toBeLessThanOrEqual(30 * dayMs + 1_000);
  });

  it('200 counts and pages the newest deliveries only, where the answers of their receiver are more than a request can read', async () => {
    const nowMs = Date.now();
    const { owner, id, jobs } = await withDeliveries(Array.from({ length: 30 }, (_, n) => nowMs - n * 1_000));
    // A page of the table has 1 MB.
    for (const job of jobs) await calls.fail(job, 5, '😀'.repeat(2_000));
    const deliveries = deliveryStore(world.table, world.vault, { mostMegabytes: 1 });
    const logs = endpoint(listLogsContract, listLogs({ ...world, deliveries }), world.webhookCallers());
    const page = async (number: number) =>
      (await call(logs, { key: owner.key, path: { id }, query: { page: `${number}`, limit: '10' } })).body;
    const { total, pages } = await page(1);
    expect(total).toBeGreaterThan(20);
    expect(total).toBeLessThan(30);
    const rows = (await Promise.all([1, 2, 3].map(page))).flatMap(({ data }) => data);
    expect(rows.map((row: { id: string }) => row.id)).toEqual(jobs.slice(0, total).map(({ delivery }) => delivery));
    expect([pages, (await page(4)).data]).toEqual([3, []]);
  });

  it('200 has a page of the usual limit when each message has the most metadata', async () => {
    const { key, id } = await withLarge({ note: 'x'.repeat(250_000 - '{"note":""}'.length) }, 20);
    const { status, body } = await calls.logs(key, id);
    expect([status, body.data?.length, body.pages]).toEqual([200, 20, 1]);
  });

  it.each([
    ['page', '0'],
    ['page', 'x'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
  ])('400 refuses %s=%s', async (name, value) => {
    const { id } = await calls.subscribe(account);
    const { status, body } = await calls.logs(account.key, id, { [name]: value });
    expect([status, body.error, body.message]).toEqual([400, 'invalid_request', expect.stringContaining(`${name}: `)]);
  });

  it('400 says how many rows fit when a page is larger than Lambda may answer with', async () => {
    // In the text that Lambda answers with, each of its quotes takes two bytes.
    const { key, id } = await withLarge({ notes: Array.from({ length: 60_000 }, () => 'x') }, 18);
    const { status, body } = await calls.logs(key, id);
    expect([status, body.error, body.message]).toEqual([
      400,
      'invalid_request',
      'limit: must be at most 17, because the rows of this page are large',
    ]);
    const rest = [await calls.logs(key, id, { limit: '17' }), await calls.logs(key, id, { limit: '17', page: '2' })];
    expect(rest.map(({ status: each, body: { data } }) => [each, data.length])).toEqual([
      [200, 17],
      [200, 1],
    ]);
    for (const { text } of rest) expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(6_250_000);
  });

  it('404 answers an unknown, a malformed and another account’s id', async () => {
    const { id: foreign } = await withDeliveries([Date.now()]);
    for (const id of [newId(Date.now()), 'x', foreign]) {
      expect((await calls.logs(account.key, id)).body).toMatchObject({ statusCode: 404, error: 'webhook_not_found' });
    }
  });
});
