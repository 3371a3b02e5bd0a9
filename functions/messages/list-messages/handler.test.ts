import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { firstIdAt, newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { acceptEmail, acceptedText } from '../../../test/accepted-message.ts';
import { loadMessages } from '../../../test/bench/messages.ts';
import { call } from '../../../test/call.ts';
import { countConsumption } from '../../../test/consumption.ts';
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

  it.each([
    ['tags', 51, 50, { tags: Array.from({ length: 2_630 }, () => 'a'.repeat(16)) }],
    ['metadata', 12, 10, { metadata: JsonText.of({ note: 'ü'.repeat(120_000) }) }],
  ])(
    '200 gives messages with large %s on several pages, because Lambda answers with 6 MB at most',
    async (_, count, fitting, large) => {
      const { ref, key } = await world.newAccount();
      const sent = Array.from({ length: count }, (_, n) => newId(startMs + n));
      for (const id of sent)
        await acceptEmail(world, ref, newEmail({ channel: 'email', to: 'ada@example.com', ...large }, id));
      const first = await list({ limit: '100' }, key);
      expect(listedIds(first)).toHaveLength(fitting);
      const rest = await list({ limit: '100', cursor: first.body.pagination.cursor }, key);
      expect([...listedIds(first), ...listedIds(rest)]).toEqual(sent.toReversed());
      expect(rest.body.pagination.hasMore).toBe(false);
    },
  );

  it('200 walks all pages by cursor, regardless of their size, without a gap or a repeat', async () => {
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

  it('200 finds messages to one address, however the address is written, together with every other filter', async () => {
    const { ref, key } = await world.newAccount();
    const texts = [await acceptedText(world, { ref, key }), await acceptedText(world, { ref, key })];
    const to = (await world.messages.find(ref, texts[0]?.message ?? ''))?.to ?? '';
    const mails = Array.from({ length: 7 }, (_, n) =>
      newEmail({ channel: 'email', to: n % 2 ? 'Ada+1@Example.com' : 'ada@example.com' }, newId(startMs + n * 1_000)),
    );
    for (const mail of mails) await acceptEmail(world, ref, mail);
    for (const mail of mails.slice(1, 4)) await world.messages.move(ref, mail, 'providerAccepted', startMs);
    const found = async (query: Record<string, string>) => listedIds(await list(query, key));
    const mailed = (...numbers: number[]) => numbers.map((n) => mails[n]?.id);

    expect(await found({ to: 'ADA@example.com' })).toEqual(mailed(6, 4, 2, 0));
    expect(await found({ to: 'ada+1@example.com' })).toEqual(mailed(5, 3, 1));
    expect(await found({ to: 'ada 1@example.com' })).toEqual(mailed(5, 3, 1));
    expect(await found({ to: 'ada@example.com', status: 'sent' })).toEqual(mailed(2));
    expect(await found({ to: 'ada+1@example.com', status: 'sent', channel: 'email', limit: '1' })).toEqual(mailed(3));
    expect(await found({ to: 'ada@example.com', channel: 'sms' })).toEqual([]);
    const at = (ms: number) => new Date(startMs + ms).toISOString();
    const range = { createdAfter: at(2_000), createdBefore: at(4_000) };
    expect(await found({ to: 'ada@example.com', ...range })).toEqual(mailed(4, 2));
    for (const phone of [to, to.replace('+', ''), to.replace('+', ' ')]) {
      expect(await found({ to: phone })).toEqual([texts[0]?.message]);
    }
    expect(await found({ to: 'ada@example.org' })).toEqual([]);
    expect(listedIds(await list({ to: 'ada@example.com' }, (await world.newAccount()).key))).toEqual([]);

    const first = await list({ to: 'ada@example.com', limit: '3' }, key);
    expect(first.body.pagination).toEqual({ cursor: mails[2]?.id, hasMore: true });
    const { cursor } = first.body.pagination;
    const second = await list({ to: 'ada@example.com', limit: '3', cursor: String(cursor) }, key);
    expect([listedIds(second), second.body.pagination]).toEqual([mailed(0), { cursor: null, hasMore: false }]);
  });

  it('200 ends a page early where few of the messages to one address fit, and goes on after it', async () => {
    const account = await world.newAccount();
    await loadMessages(world, account, 70);
    const query = { to: 'ada@example.com', status: 'bounced' };
    const { body } = await list(query, account.key);
    expect(body.data).toHaveLength(6);
    const next = await list({ ...query, cursor: body.pagination.cursor }, account.key);
    expect([next.body.data.length, next.body.pagination.hasMore]).toEqual([2, false]);
  });

  it('200 finds messages to one address for the same units on a small and on a large account', async () => {
    const [small, large] = [await world.newAccount(), await world.newAccount({ credits: { email: 1_000 } })];
    for (const { ref } of [small, large]) {
      for (let n = 0; n < 3; n++)
        await acceptEmail(world, ref, newEmail({ channel: 'email', to: 'ada@example.com' }, newId(startMs + n)));
    }
    for (let n = 0; n < 150; n++) {
      const other = newEmail({ channel: 'email', to: `someone${n % 5}@example.com` }, newId(startMs + n));
      await acceptEmail(world, large.ref, other);
    }
    const consumption = countConsumption(world.calls);
    const [few, many] = [
      await consumption.of(() => list({ to: 'ada@example.com', status: 'sending' }, small.key)),
      await consumption.of(() => list({ to: 'ada@example.com', status: 'sending' }, large.key)),
    ];
    expect(many).toEqual(few);
  });

  it.each([
    [{ to: 'ada' }, 'to'],
    [{ to: '' }, 'to'],
    [{ to: '12345' }, 'to'],
    [{ to: 'ada@example.com,bob@example.com' }, 'to'],
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
