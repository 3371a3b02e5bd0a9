import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckoutSession } from '../../../shared/checkout/session.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { newId } from '../../../shared/kit/id.ts';
import { JsonText } from '../../../shared/kit/json-text.ts';
import { minuteMs } from '../../../shared/kit/time-units.ts';
import { begunPayment, openSession } from '../../../test/checkout-fixture.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');

let world: World;
let account: TestAccount;
let key: string;
let ids: string[];
let nowMs = startMs + 30 * minuteMs;
let server: ReturnType<typeof merchantCalls>;

/** A session a minute, oldest first; every third has the invoice, and lives for an hour. */
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  key = await world.newCheckoutKey(account.ref);
  server = merchantCalls(world, () => nowMs);
  ids = Array.from({ length: 25 }, (_, n) => newId(startMs + n * minuteMs));
  for (const [n, id] of ids.entries()) {
    const createdMs = startMs + n * minuteMs;
    const wishes = { id, invoiceId: n % 3 === 0 ? 'INV-3' : undefined, expiresMs: createdMs + 60 * minuteMs };
    const session = openSession(account.ref.id, wishes);
    await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: createdMs });
  }
  const live = openSession(account.ref.id, { livemode: true, invoiceId: 'INV-3' });
  await world.sessions.create(account.ref, live, { idempotencyKey: undefined, nowMs: startMs });
});
afterAll(() => world.close());

const newestFirst = () => [...ids].reverse();
const idsIn = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** Every page of a list. */
const walk = async (query: Readonly<Record<string, string>>) => {
  const found: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { status, body } = await server.listSessions(key, { ...query, ...(cursor && { cursor }) });
    expect(status).toBe(200);
    found.push(...idsIn(body.data));
    ({ cursor } = body.pagination);
  } while (cursor);
  return found;
};

describe('GET /v1/checkout-sessions', () => {
  it('200 lists the mode’s sessions newest first, 20 by default, and pages by cursor', async () => {
    const { body } = await server.listSessions(key);
    expect([idsIn(body.data), body.pagination.hasMore]).toEqual([newestFirst().slice(0, 20), true]);
    expect(await walk({ limit: '7' })).toEqual(newestFirst());
  });

  it('200 filters by time, both ends included', async () => {
    const at = (n: number) => new Date(startMs + n * minuteMs).toISOString();
    expect(await walk({ from: at(3), to: at(9), limit: '2' })).toEqual(newestFirst().slice(15, 22));
    expect(await walk({ from: at(9), to: at(3) })).toEqual([]);
  });

  it('200 filters by invoice, of one mode, and costs by its matches', async () => {
    const matches = newestFirst().filter((_, n) => (24 - n) % 3 === 0);
    expect(await walk({ invoiceId: 'INV-3', limit: '4' })).toEqual(matches);
    expect(await walk({ invoiceId: 'INV-4' })).toEqual([]);
    const { of } = countConsumption(world.calls);
    const none = await of(() => server.listSessions(key, { invoiceId: 'INV-4' }));
    expect(none.units).toBeLessThanOrEqual(5);
  });

  it('200 filters by the status as it is now', async () => {
    nowMs = startMs + 70 * minuteMs;
    expect(await walk({ status: 'OPEN', limit: '5' })).toEqual(newestFirst().slice(0, 14));
    expect(await walk({ status: 'EXPIRED', limit: '5' })).toEqual(newestFirst().slice(14));
    expect(await walk({ status: 'COMPLETED' })).toEqual([]);
  });

  it('200 gives each session its payments', async () => {
    const other = await world.newAccount();
    const secret = await world.newCheckoutKey(other.ref);
    const { payment, session } = await begunPayment(world, other);
    await world.sessions.create(other.ref, openSession(other.ref.id), { idempotencyKey: undefined, nowMs: startMs });
    const { body } = await server.listSessions(secret);
    const { data } = body;
    expect(data.map(({ payments }: { payments: { id: string }[] }) => idsIn(payments))).toEqual([[], [payment.id]]);
    expect(data[1].id).toBe(session.id);
  });

  it('200 ends a page early whose rows are too much for one answer, whatever is large in them', async () => {
    const url = `https://shop.example/${'x'.repeat(2_000)}`;
    const lineItems = Array.from({ length: 350 }, () => ({ name: 'x'.repeat(240), quantity: 1, unitAmountMinor: 1 }));
    const metadata = JsonText.of({ note: 'x'.repeat(45_000) });
    const texts = { description: '語'.repeat(30_000), successUrl: url, cancelUrl: url };
    const create = (ref: AccountRef, wishes: Partial<CheckoutSession>) =>
      world.sessions.create(ref, openSession(ref.id, wishes), { idempotencyKey: undefined, nowMs: startMs });
    const large: ((other: TestAccount) => Promise<unknown>)[] = [
      ({ ref }) => create(ref, { lineItems }),
      ({ ref }) => create(ref, texts),
      // The session has it, and its payment once more.
      (other) => begunPayment(world, other, { metadata }),
    ];
    for (const createOne of large) {
      const other = await world.newAccount();
      const secret = await world.newCheckoutKey(other.ref);
      for (let n = 0; n < 30; n += 1) await createOne(other);
      const { body } = await server.listSessions(secret, { limit: '30' });
      expect([body.data.length, body.pagination]).toEqual([
        expect.toSatisfy((rows) => rows > 20 && rows < 30),
        { cursor: body.data.at(-1).id, hasMore: true },
      ]);
      const rest = await server.listSessions(secret, { limit: '30', cursor: body.pagination.cursor });
      expect(rest.body.data).toHaveLength(30 - body.data.length);
    }
  });

  it.each([
    [{ status: 'PAID' }, 'status'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ cursor: 'x' }, 'cursor'],
    [{ invoiceId: '' }, 'invoiceId'],
  ] as const)('400 refuses %j', async (query, field) => {
    const { status, body } = await server.listSessions(key, query);
    expect([status, body.error.code, body.error.message.split(':')[0]]).toEqual([400, 'bad_request', field]);
  });
});
