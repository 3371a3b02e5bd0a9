import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../shared/accounts/credits.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { firstIdAt, newId } from '../../../shared/kit/id.ts';
import { iso } from '../../../shared/kit/time.ts';
import { hourMs } from '../../../shared/kit/time-units.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { readMessageRecords } from '../../../test/message-records.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { countMessages } from '../../messages/count-messages/handler.ts';
import { listCreditChangesContract } from './contract.ts';
import { listCreditChanges } from './handler.ts';

const hour = Date.parse('2026-11-20T12:00:00.000Z');
const address = { email: 'ada@example.com' };

let world: World;
let read: () => Promise<DynamoDBRecord[]>;
beforeAll(async () => {
  world = await startWorld({ hasStream: true });
  read = await readMessageRecords(world);
});
afterAll(() => world.close());

const catchUp = async () => streamReader(countMessages(world), () => hour)({ Records: await read() });

const send = async ({ ref }: TestAccount, atMs: number) => {
  const message = newEmail({ channel: 'email', to: address.email }, newId(atMs));
  await acceptEmail(world, ref, message);
  return message;
};

const adjust = ({ ref }: TestAccount, atMs: number, email: number) =>
  world.credits.adjust(ref, {
    id: newId(atMs),
    change: { email, smsMasked: 0, smsNonMasked: 0 },
    who: 'ada',
    reason: 'Invoice 1042',
  });

const list = (id: string, query: Record<string, string> = {}) =>
  call(endpoint(listCreditChangesContract, listCreditChanges(world), world.accountOperators()), {
    path: { id },
    query,
  });

const listAll = async (id: string, limit: number): Promise<LedgerEntry[]> => {
  const entries: LedgerEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await list(id, { limit: String(limit), ...(cursor && { cursor }) });
    expect(body.data.length).toBeLessThanOrEqual(limit);
    entries.push(...body.data);
    cursor = body.pagination.cursor;
  }
  return entries;
};

describe('GET /admin/v1/accounts/{id}/credits/ledger', () => {
  it('200 lists the sends of each hour, minus returned credits, and operators’ changes, newest first', async () => {
    const account = await world.newAccount();
    const sent = [hour, hour + 1, hour + hourMs - 1, hour + hourMs].map((atMs) => send(account, atMs));
    const [first] = await Promise.all(sent);
    if (first) await world.messages.withdraw(account.ref, first);
    await adjust(account, hour + 20, 500);
    await catchUp();
    const { status, body } = await list(account.ref.id);
    expect([status, body.pagination]).toEqual([200, { cursor: null, hasMore: false }]);
    const nothing = { smsMasked: 0, smsNonMasked: 0 };
    const sends = { ...nothing, kind: 'sends', who: null, reason: null };
    const [nextHour, adjustment, firstHour] = body.data.filter(({ kind }: LedgerEntry) => kind !== 'set');
    expect(nextHour).toEqual({ ...sends, id: firstIdAt(hour + hourMs), at: '2026-11-20T13:00:00.000Z', email: -1 });
    expect(adjustment).toMatchObject({ kind: 'adjustment', at: '2026-11-20T12:00:00.020Z', email: 500, who: 'ada' });
    expect(firstHour).toEqual({ ...sends, id: firstIdAt(hour), at: '2026-11-20T12:00:00.000Z', email: -2 });
  });

  it('200 pages through entries of both kinds without loss or repetition, also past hours without a net cost', async () => {
    const account = await world.newAccount();
    for (let n = 0; n < 5; n += 1) {
      await send(account, hour + 2 * n * hourMs);
      const unsent = await send(account, hour + (2 * n + 1) * hourMs);
      await world.messages.withdraw(account.ref, unsent);
      await adjust(account, hour + 2 * n * hourMs, n);
    }
    await catchUp();
    const whole = await listAll(account.ref.id, 100);
    expect(whole).toHaveLength(11);
    expect(whole.map(({ id }) => id)).toEqual(
      whole
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    for (const limit of [1, 2, 3, 10]) expect(await listAll(account.ref.id, limit)).toEqual(whole);
  });

  it('200 ends a page early after thousands of hours without a cost, and goes on behind them', async () => {
    const account = await world.newAccount();
    const startMs = Date.now() - 5_001 * hourMs;
    await send(account, startMs);
    await catchUp();
    await adjust(account, startMs + 2_500 * hourMs, 500);
    const free = Array.from({ length: 5_000 }, (_, n) => iso(startMs + (n + 1) * hourMs).slice(0, 13));
    await world.table.putAll(free.map((at) => ({ ...itemKeys.hourCounts(account.ref.id, at), entity: 'hour-counts' })));
    const first = (await list(account.ref.id)).body;
    expect(first.pagination.hasMore).toBe(true);
    const [opening, ...costs] = await listAll(account.ref.id, 1);
    expect([opening, ...costs].map((entry) => [entry?.kind, entry?.email])).toEqual([
      ['set', 100],
      ['adjustment', 500],
      ['sends', -1],
    ]);
    expect(first.data).toEqual([opening, costs[0]]);
  });

  it('200 returns no entry of another account', async () => {
    const account = await world.newAccount();
    expect((await list(account.ref.id)).body.data).toHaveLength(1);
  });

  it('400 refuses limits outside 1 to 100 and invalid cursors', async () => {
    const { ref } = await world.newAccount();
    for (const query of [{ limit: '0' }, { limit: '101' }, { cursor: 'x' }]) {
      expect((await list(ref.id, query)).body.error.code).toBe('invalid_request');
    }
  });

  it('404 answers an unknown account', async () => {
    expect((await list('01932f6e-8c00-7000-8000-000000000000')).body.error.code).toBe('account_not_found');
  });
});
