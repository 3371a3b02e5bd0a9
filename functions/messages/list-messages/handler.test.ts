import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { firstIdAt, newId } from '../../../shared/kit/id.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { listMessagesContract } from './contract.ts';
import { listMessages } from './handler.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const count = 25;

let world: World;
let account: TestAccount;
/** Oldest first, one a second; every third is sent, every third failed, the others are being sent. */
let ids: string[];

beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  ids = Array.from({ length: count }, (_, n) => newId(startMs + n * 1_000));
  for (const [n, id] of ids.entries()) {
    const message = newEmail({ channel: 'email', to: 'ada@example.com' }, id);
    await acceptEmail(world, account.ref, message);
    if (n % 3 === 1) await world.messages.move(account.ref, message, 'providerAccepted', startMs);
    if (n % 3 === 2)
      await world.messages.fail(account.ref, message, 'providerRefused', { code: 'c', reason: 'r' }, startMs);
  }
});
afterAll(() => world.close());

const list = (query: Record<string, string> = {}, key = account.key) =>
  call(endpoint(listMessagesContract, listMessages(world), world.callers('messages:read')), { key, query });

const newestFirst = () => [...ids].reverse();
const listedIds = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

describe('GET /messages', () => {
  it('200 gives the 20 newest, and whether there are more', async () => {
    const answer = await list();
    expect(listedIds(answer)).toEqual(newestFirst().slice(0, 20));
    expect(answer.body.pagination).toEqual({ cursor: newestFirst()[19], hasMore: true });
  });

  it('200 walks all pages by cursor, whatever their size, without a gap or a repeat', async () => {
    for (const limit of [1, 7, 24, 25, 100]) {
      const walked: string[] = [];
      let cursor: string | null = null;
      do {
        const answer = await list({ limit: String(limit), ...(cursor !== null && { cursor }) });
        walked.push(...listedIds(answer));
        ({ cursor } = answer.body.pagination);
        expect(answer.body.pagination.hasMore).toBe(cursor !== null);
      } while (cursor !== null);
      expect(walked).toEqual(newestFirst());
    }
  });

  it('200 filters by channel and status, also across pages', async () => {
    const sent = newestFirst().filter((id) => ids.indexOf(id) % 3 === 1);
    expect(listedIds(await list({ status: 'sent' }))).toEqual(sent);
    expect(listedIds(await list({ channel: 'email', limit: '100' }))).toEqual(newestFirst());
    expect(listedIds(await list({ channel: 'email', status: 'failed', limit: '2' }))).toHaveLength(2);
    expect(listedIds(await list({ channel: 'sms' }))).toEqual([]);
    const first = await list({ channel: 'email', limit: '9' });
    const second = await list({ channel: 'email', limit: '9', cursor: first.body.pagination.cursor });
    expect([...listedIds(first), ...listedIds(second)]).toEqual(newestFirst().slice(0, 18));
  });

  it('200 includes both ends of a range of time, and takes every ISO 8601 form', async () => {
    const at = (n: number) => new Date(startMs + n * 1_000).toISOString();
    const range = await list({ createdAfter: at(3), createdBefore: at(6) });
    expect(listedIds(range)).toEqual([6, 5, 4, 3].map((n) => ids[n]));
    expect(listedIds(await list({ createdBefore: '2026-11-20T12:00:00Z' }))).toEqual([ids[0]]);
    expect(listedIds(await list({ createdAfter: '2026-11-20T18:00:24+06:00' }))).toEqual([ids[24]]);
    expect(listedIds(await list({ createdAfter: '2026-11-20T18:00:24 06:00' }))).toEqual([ids[24]]);
    expect(listedIds(await list({ createdBefore: '2026-11-20' }))).toEqual([]);
    expect(listedIds(await list({ createdAfter: at(9), createdBefore: at(8) }))).toEqual([]);
    expect(listedIds(await list({ status: 'sent', createdAfter: at(3), createdBefore: at(6) }))).toEqual([ids[4]]);
  });

  it('200 shows only the caller’s account', async () => {
    const other = await world.newAccount();
    expect((await list({}, other.key)).body).toEqual({ data: [], pagination: { cursor: null, hasMore: false } });
    expect(listedIds(await list({ cursor: ids[5] ?? '' }, other.key))).toEqual([]);
  });

  it('200 takes a cursor of a message that is not there any more, and ignores what it does not know', async () => {
    expect(listedIds(await list({ cursor: firstIdAt(startMs + 2_500), colour: 'red' }))).toEqual(
      [2, 1, 0].map((n) => ids[n]),
    );
  });

  it.each([
    [{ channel: 'fax' }, 'channel'],
    [{ status: 'read' }, 'status'],
    [{ status: 'rejected' }, 'status'],
    [{ status: 'unsubscribed' }, 'status'],
    [{ status: 'complained' }, 'status'],
    [{ status: 'SENT' }, 'status'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ createdAfter: 'yesterday' }, 'createdAfter'],
    [{ createdBefore: '2026-13-01' }, 'createdBefore'],
    [{ cursor: 'x' }, 'cursor'],
  ])('400 refuses %o', async (query, field) => {
    const { status, body } = await list(query as Record<string, string>);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toMatch(new RegExp(`^${field}: `));
  });
});
