import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { type Channel, channels, type Status, statuses } from '../../../shared/messages/message.ts';
import { trafficJob } from '../../../shared/messages/traffic.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { call } from '../../../test/call.ts';
import { readMessageRecords } from '../../../test/message-records.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { countMessages } from '../../messages/count-messages/handler.ts';
import { getMessageAnalyticsContract } from './contract.ts';
import { getMessageAnalytics } from './handler.ts';

const now = '2026-11-20T12:30:00.000Z';
const none = { total: 0, sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, failed: 0 };

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld({ hasStream: true });
  account = await world.newAccount();
  await message(account, '2026-10-31T23:59:59.999Z', 'email', 'sent');
  await message(account, '2026-11-01T00:00:00.000Z', 'email', 'delivered');
  for (const status of statuses) await message(account, '2026-11-10T08:15:00.000Z', 'sms', status);
  await message(account, '2026-11-20T11:59:59.999Z', 'whatsapp', 'read');
  const readRecords = await readMessageRecords(world);
  await streamReader(countMessages(world))({ Records: await readRecords() });
  await message(account, now, 'email', 'sent');
});
afterAll(() => world.close());

const message = (of: TestAccount, createdAt: string, channel: Channel, status: Status) => {
  const id = newId(Date.parse(createdAt));
  return world.traffic.record(
    of.ref,
    trafficJob.parse({ account: of.ref.id, id, origin: 'campaign', channel, status }),
  );
};

const ask = (query: Record<string, string> = {}, key = account.key) =>
  call(
    endpoint(getMessageAnalyticsContract, getMessageAnalytics(world), world.callers('analytics:read'), () =>
      Date.parse(now),
    ),
    { key, query },
  );
const rangeFor = async (query: Record<string, string>) => (await ask(query)).body.data.range;
const totals = async (query: Record<string, string>) => {
  const { body } = await ask(query);
  return channels.map((channel) => body.data.channels[channel].total);
};

describe('GET /analytics/messages', () => {
  it('200 counts the current month up to now, each message in total and in the bucket of its status', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body.data).toEqual({
      range: { startDate: '2026-11-01T00:00:00.000Z', endDate: now },
      channels: {
        email: { ...none, total: 2, sent: 1, delivered: 1 },
        sms: { total: 12, sent: 1, delivered: 1, opened: 1, clicked: 1, bounced: 1, failed: 2 },
        whatsapp: { ...none, total: 1 },
      },
    });
  });

  it('200 counts to the millisecond, both ends included', async () => {
    const [start, end] = ['2026-10-31T23:59:59.999Z', '2026-11-20T11:59:59.999Z'];
    expect(await totals({ startDate: start, endDate: end })).toEqual([2, 12, 1]);
    expect(await totals({ startDate: '2026-11-01', endDate: end })).toEqual([1, 12, 1]);
    expect(await totals({ startDate: start, endDate: '2026-11-20T11:59:59.998Z' })).toEqual([2, 12, 0]);
    expect(await totals({ startDate: start, endDate: start })).toEqual([1, 0, 0]);
    expect(await totals({ startDate: now, endDate: now })).toEqual([1, 0, 0]);
  });

  it('200 accepts any range, from the first year to the last', async () => {
    expect(await totals({ startDate: '0000-01-01', endDate: '9999-12-31' })).toEqual([3, 12, 1]);
    expect(await totals({ startDate: '1970-01-01', endDate: '1970-01-02' })).toEqual([0, 0, 0]);
  });

  it('200 counts nothing when the start is after the end', async () => {
    const { body } = await ask({ startDate: '2026-11-20', endDate: '2026-11-10' });
    expect(body.data).toEqual({
      range: { startDate: '2026-11-20T00:00:00.000Z', endDate: '2026-11-10T00:00:00.000Z' },
      channels: { email: none, sms: none, whatsapp: none },
    });
  });

  it('200 accepts every ISO 8601 form, and returns the parsed range', async () => {
    for (const endDate of ['2026-11-10T18:00:00 06:00', '2026-11-10T18:00:00 06'])
      expect(await rangeFor({ startDate: '2026-11-10', endDate })).toEqual({
        startDate: '2026-11-10T00:00:00.000Z',
        endDate: '2026-11-10T12:00:00.000Z',
      });
  });

  it.each(['', 'yesterday', '2026-13-01', '2026-02-30', '1795176000000', '2026-11-10,2026-11-11', '%00'])(
    '200 uses the default for %o',
    async (wrong) => {
      expect(await rangeFor({ startDate: wrong, endDate: wrong })).toEqual({
        startDate: '2026-11-01T00:00:00.000Z',
        endDate: now,
      });
    },
  );

  it('200 counts only the caller’s account', async () => {
    const other = await world.newAccount();
    const { body } = await ask({ startDate: '2020-01-01' }, other.key);
    expect(body.data.channels).toEqual({ email: none, sms: none, whatsapp: none });
  });

  it.each([
    [500, 1],
    [501, 501],
  ])('200 takes this hour of %i counted messages for %i: only many are not read row by row', async (counted, shown) => {
    const busy = await world.newAccount();
    await message(busy, '2026-11-20T12:10:00.000Z', 'email', 'delivered');
    const hour = itemKeys.hourCounts(busy.ref.id, '2026-11-20T12');
    await world.table.put({ Item: { ...hour, 'email#sent': counted - 1, 'sms#failed': 1, 'taken#email': 9 } });
    const of = async (query: Record<string, string>) => (await ask(query, busy.key)).body.data.channels;
    const whole = await of({});
    expect(channels.reduce((sum, channel) => sum + whole[channel].total, 0)).toBe(shown);
    // A caller's clock is a little behind.
    expect(await of({ endDate: '2026-11-20T12:29:50.000Z' })).toEqual(whole);
    expect(await of({ endDate: '2026-11-20T12:29:49.999Z' })).toMatchObject({ email: { total: 1 }, sms: none });
    expect(await of({ startDate: '2026-11-20T12:00:00.001Z' })).toMatchObject({ email: { total: 1 }, sms: none });
  });

  it.each(['9999-12-31T23:00:00-12:00', '2026-11-20T13:00:00Z'])(
    '200 counts nothing at %s, which is still to come, also for a busy account',
    async (date) => {
      const busy = await world.newAccount();
      await world.table.put({ Item: { ...itemKeys.hourCounts(busy.ref.id, '2026-11-20T11'), 'email#sent': 501 } });
      const { status, body } = await ask({ startDate: date, endDate: date }, busy.key);
      expect([status, body.data.channels]).toEqual([200, { email: none, sms: none, whatsapp: none }]);
    },
  );

  it('200 counts the messages of a part of a very busy hour without reading their rows', async () => {
    const busy = await world.newAccount();
    const kinds = [...channels.flatMap((channel) => statuses.map((status) => ({ channel, status })))];
    for (const minute of ['12:10', '12:20'])
      for (const { channel, status } of kinds) await message(busy, `2026-11-20T${minute}:00.000Z`, channel, status);
    const query = { startDate: '2026-11-20T12:10:00.000Z', endDate: '2026-11-20T12:19:59.999Z' };
    const exact = (await ask(query, busy.key)).body.data.channels;
    const hour = itemKeys.hourCounts(busy.ref.id, '2026-11-20T12');
    await world.table.put({ Item: { ...hour, 'email#sent': 20_001 } });
    let sent = 0;
    const stopTap = world.calls.tap('rows', (next) => async (name, input) => {
      const answer: { Items?: { channel?: string }[] } = await next(name, input);
      sent += (answer.Items ?? []).filter(({ channel }) => channel !== undefined).length;
      return answer;
    });
    expect((await ask(query, busy.key)).body.data.channels).toEqual(exact);
    stopTap();
    expect([exact.email.total, sent]).toEqual([statuses.length, 0]);
  });

  it('200 counts a message once as what it is while its first change waits in a parked batch, and after its replay', async () => {
    const other = await world.newAccount();
    const id = newId(Date.parse('2026-11-10T08:15:00.000Z'));
    for (const status of ['sent', 'delivered']) {
      const job = { account: other.ref.id, id, origin: 'campaign', channel: 'email', status };
      await world.traffic.record(other.ref, trafficJob.parse(job));
    }
    const all = await (await readMessageRecords(world))();
    const own = all.filter(({ dynamodb }) => dynamodb?.NewImage?.['account']?.S === other.ref.id);
    expect(own).toHaveLength(2);
    for (const Records of [own.slice(1), own]) {
      await streamReader(countMessages(world))({ Records });
      const { status, body } = await ask({}, other.key);
      expect([status, body.data?.channels.email]).toEqual([200, { ...none, total: 1, delivered: 1 }]);
    }
  });

  it('200 counts rows beyond one query page', async () => {
    const other = await world.newAccount();
    const reason = 'x'.repeat(300_000);
    for (let n = 0; n < 5; n += 1) {
      const id = newId(Date.parse('2026-11-20T12:10:00Z') + n);
      const job = { account: other.ref.id, id, origin: 'automation', channel: 'sms', status: 'failed' };
      await world.traffic.record(other.ref, trafficJob.parse({ ...job, failureReason: reason }));
    }
    const { body } = await ask({}, other.key);
    expect(body.data.channels.sms).toEqual({ ...none, total: 5, failed: 5 });
  });
});
