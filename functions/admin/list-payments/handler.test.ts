import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { answeredPayment, begunPayment } from '../../../test/checkout-fixture.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listPaymentsContract } from './contract.ts';
import { listPayments } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (id: string, query: Record<string, string> = {}) =>
  call(endpoint(listPaymentsContract, listPayments(world), keylessSurface), { path: { id }, query });

describe('GET /admin/v1/accounts/{id}/payments', () => {
  it('200 lists payments with their gateway’s latest answer, newest first, and counts their states', async () => {
    const [account, stranger] = [await world.newAccount(), await world.newAccount()];
    await answeredPayment(world, stranger, { state: 'succeeded' });
    const failed = await answeredPayment(world, account, { state: 'failed' });
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const pending = await begunPayment(world, account);
    const { status, body, text } = await list(account.ref.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { id: pending.payment.id, status: 'PENDING', lastAnswer: null },
      { id: paid.payment.id, status: 'SUCCEEDED', refundableMinor: 600_000, lastAnswer: { state: 'succeeded' } },
      { id: failed.payment.id, status: 'FAILED', lastAnswer: { state: 'failed' } },
    ]);
    expect(body.states).toEqual({ PENDING: 1, SUCCEEDED: 1, FAILED: 1 });
    expect(text).not.toMatch(/returnToken|"token"/);
  });

  it('200 a payment that its session no longer waits for is EXPIRED, before that is stored', async () => {
    const account = await world.newAccount();
    const { payment } = await begunPayment(world, account, { expiresMs: Date.now() + 1_000 });
    const endedMs = Date.now() + 31 * 60_000;
    const lateList = endpoint(listPaymentsContract, listPayments(world), keylessSurface, () => endedMs);
    const { body } = await call(lateList, { path: { id: account.ref.id }, query: {} });
    expect([body.data, body.states]).toMatchObject([[{ id: payment.id, status: 'EXPIRED' }], { EXPIRED: 1 }]);
  });

  it('200 pages by cursor', async () => {
    const account = await world.newAccount();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await begunPayment(world, account)).payment.id);
    const first = (await list(account.ref.id, { limit: '2' })).body;
    const rest = (await list(account.ref.id, { limit: '2', cursor: first.pagination.cursor })).body;
    expect([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect([first.pagination.hasMore, rest.pagination]).toEqual([true, { cursor: null, hasMore: false }]);
  });

  it('200 lists only the payments under review with mark=held', async () => {
    const account = await world.newAccount();
    const held = await answeredPayment(world, account, { state: 'succeeded', amountMinor: 600_001 });
    await answeredPayment(world, account, { state: 'succeeded' });
    const { body } = await list(account.ref.id, { mark: 'held' });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([held.payment.id]);
    expect(body.states).toEqual({ HELD: 1 });
    expect((await list(account.ref.id, { mark: 'lost' })).body.error.code).toBe('invalid_request');
  });

  it('404 answers an unknown account', async () => {
    expect((await list('x')).body.error.code).toBe('account_not_found');
  });
});
