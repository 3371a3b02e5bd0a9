import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { listDeliveriesContract } from './contract.ts';
import { listDeliveries } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const waits = [5, 60, 300, 1800];

const list = (id: string, webhookId: string, query: Record<string, string> = {}) =>
  call(endpoint(listDeliveriesContract, listDeliveries({ ...world, waits }), keylessSurface), {
    path: { id, webhookId },
    query,
  });

describe('GET /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries', () => {
  it('200 shows every attempt, and nothing of what was sent', async () => {
    const { id } = await calls.subscribe(account);
    const [job] = await calls.begin(account);
    for (const statusCode of [500, 200]) {
      const attempt = {
        startedMs: Date.parse('2026-11-20T12:00:00Z'),
        statusCode,
        responseTime: 9,
        responseBody: `${statusCode}`,
      };
      if (job) await calls.record(job, attempt);
    }
    const { status, body, text } = await list(account.ref.id, id);
    expect([status, body.pagination]).toEqual([200, { cursor: null, hasMore: false }]);
    const at = '2026-11-20T12:00:00.000Z';
    expect(body.data).toEqual([
      {
        id: job?.delivery,
        webhookId: id,
        event: 'message.sent',
        eventId: expect.stringMatching(/^evt_/),
        state: 'succeeded',
        attempts: [
          { number: 1, at, statusCode: 500, responseTime: 9, responseBody: '500', success: false },
          { number: 2, at, statusCode: 200, responseTime: 9, responseBody: '200', success: true },
        ],
        attemptsMade: 2,
        nextAttemptAt: null,
        createdAt: expect.any(String),
      },
    ]);
    expect(text).not.toContain('ada@example.com');
  });

  it('200 says when a delivery that failed is tried again', async () => {
    const owner = await world.newAccount();
    const { id } = await calls.subscribe(owner);
    const [job] = await calls.begin(owner);
    if (!job) throw new Error('nothing was begun');
    const nextAttemptAt = async () => (await list(owner.ref.id, id)).body.data[0].nextAttemptAt;
    expect(await nextAttemptAt()).toBeNull();
    const startedMs = Date.parse('2026-11-20T12:00:00Z');
    const failed = { startedMs, statusCode: 500, responseTime: 9, responseBody: '' };
    await calls.record(job, failed);
    expect(await nextAttemptAt()).toBe('2026-11-20T12:00:05.009Z');
    await calls.record({ ...job, attempt: 2 }, failed);
    expect(await nextAttemptAt()).toBe('2026-11-20T12:01:00.009Z');
    await calls.record({ ...job, attempt: 3 }, failed, 3);
    expect(await nextAttemptAt()).toBeNull();
  });

  it('200 pages from the newest to the oldest', async () => {
    const owner = await world.newAccount();
    const { id } = await calls.subscribe(owner);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.unshift(...(await calls.begin(owner, { atMs: Date.now() - 10_000 + n })).map(({ delivery }) => delivery));
    const pages = [];
    for (let cursor: string | undefined; pages.length < 3; cursor = pages.at(-1)?.pagination.cursor)
      pages.push((await list(owner.ref.id, id, { limit: '2', ...(cursor !== undefined && { cursor }) })).body);
    const shown = pages.map(({ data }) => data.map((row: { id: string }) => row.id));
    expect(shown).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { cursor: ids[1], hasMore: true },
      { cursor: ids[3], hasMore: true },
      { cursor: null, hasMore: false },
    ]);
  });

  it('200 filters by state and event, over pages that have few of them', async () => {
    const owner = await world.newAccount();
    const { id } = await calls.subscribe(owner);
    const failed: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const [job] = await calls.begin(owner, { atMs: Date.now() - 10_000 + n });
      if (!job) throw new Error('nothing was begun');
      const statusCode = n % 3 === 0 ? 500 : 200;
      if (statusCode === 500) failed.unshift(job.delivery);
      await calls.record(job, { statusCode, responseTime: 9, responseBody: '' }, 1);
    }
    const idsOf = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map((row) => row.id);
    const first = (await list(owner.ref.id, id, { state: 'failed', limit: '2' })).body;
    expect([idsOf(first), first.pagination.hasMore]).toEqual([failed.slice(0, 2), true]);
    const rest = (await list(owner.ref.id, id, { state: 'failed', limit: '2', cursor: first.pagination.cursor })).body;
    expect([idsOf(rest), rest.pagination]).toEqual([failed.slice(2), { cursor: null, hasMore: false }]);
    expect(idsOf((await list(owner.ref.id, id, { state: 'succeeded', event: 'message.sent' })).body)).toHaveLength(4);
    expect(idsOf((await list(owner.ref.id, id, { event: 'message.failed' })).body)).toEqual([]);
  });

  it('200 gives deliveries with long responses on several pages, because Lambda answers with 6 MB at most', async () => {
    const owner = await world.newAccount();
    const { id } = await calls.subscribe(owner);
    const ids: string[] = [];
    for (let n = 0; n < 22; n += 1) {
      const [job] = await calls.begin(owner, { atMs: Date.now() - 10_000 + n });
      if (!job) throw new Error('nothing was begun');
      ids.unshift(job.delivery);
      // As JSON, a control character takes six bytes.
      await calls.fail(job, 10, '\u0001'.repeat(2_000));
    }
    const first = (await list(owner.ref.id, id, { limit: '100' })).body;
    const rest = (await list(owner.ref.id, id, { limit: '100', cursor: first.pagination.cursor })).body;
    const shown = [first, rest].map(({ data }) => data.map((row: { id: string }) => row.id));
    expect(shown).toEqual([ids.slice(0, 20), ids.slice(20)]);
    expect(rest.pagination).toEqual({ cursor: null, hasMore: false });
  });

  it('400 refuses a limit beyond 1 to 100, a cursor that is none and a state that is none', async () => {
    const { id } = await calls.subscribe(account);
    for (const query of [{ limit: '0' }, { limit: '101' }, { cursor: 'x' }, { state: 'x' }]) {
      expect((await list(account.ref.id, id, query)).body.error.code).toBe('invalid_request');
    }
  });

  it('404 answers an unknown account, and a webhook that is not the account’s', async () => {
    const { id: foreign } = await calls.subscribe(await world.newAccount());
    expect((await list(newId(0), foreign)).body.error.code).toBe('account_not_found');
    for (const id of [foreign, newId(0), 'x']) {
      expect((await list(account.ref.id, id)).body.error.code).toBe('webhook_not_found');
    }
  });
});
