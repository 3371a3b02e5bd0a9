import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { refundStore } from '../../../shared/table/checkout/refund-store.ts';
import type { Table } from '../../../shared/table/table.ts';
import { call } from '../../../test/call.ts';
import { answeredPayment, begunPayment } from '../../../test/checkout-fixture.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { createRefundContract } from './contract.ts';
import { createRefund } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const refund = (paymentId: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  call(endpoint(createRefundContract, createRefund(world), keylessSurface), { path: { paymentId }, body, headers });

const left = async ({ payment }: { payment: { sessionId: string; id: string } }) =>
  (await world.payments.find(payment.sessionId, payment.id))?.payment.refundableMinor;

describe('POST /admin/v1/payments/{paymentId}/refunds', () => {
  it('201 refunds all that is left when no amount is sent', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const { status, body } = await refund(paid.payment.id);
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        paymentId: paid.payment.id,
        amountMinor: 600_000,
        currency: 'BDT',
        status: 'PENDING',
        reason: null,
        isAutomatic: false,
        failureReason: null,
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await left(paid)).toBe(0);
  });

  it('201 refunds in parts, with a reason that lies sealed', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const reason = 'Ada returned one book';
    expect((await refund(paid.payment.id, { amountMinor: 250_000, reason })).body.data).toMatchObject({ reason });
    expect((await refund(paid.payment.id, { amountMinor: 350_000 })).status).toBe(201);
    expect(await left(paid)).toBe(0);
    expect(JSON.stringify(await world.scan())).not.toContain(reason);
  });

  it('201 returns the refund of its Idempotency-Key for any repeated body', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const headers = { 'idempotency-key': 'whatever' };
    const first = await refund(paid.payment.id, { amountMinor: 1 }, headers);
    for (const body of ['{', [], { amountMinor: 0 }, { amountMinor: 999_999_999 }]) {
      const again = await refund(paid.payment.id, body, headers);
      expect([again.status, again.text, again.headers['Idempotent-Replay']]).toEqual([201, first.text, 'true']);
    }
  });

  it('201 refunds under an Idempotency-Key that the merchant’s server used for the same payment, and the other way round', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const server = merchantCalls(world);
    const key = await world.newCheckoutKey(account.ref);
    const [one, other] = [{ 'idempotency-key': 'one' }, { 'idempotency-key': 'other' }];
    await refund(paid.payment.id, { amountMinor: 1 }, one);
    await server.refund(key, paid.payment.id, { amountMinor: 2 }, other);
    const byServer = await server.refund(key, paid.payment.id, { amountMinor: 4 }, one);
    const byPerson = await refund(paid.payment.id, { amountMinor: 8 }, other);
    expect([byServer.body.data.amountMinor, byPerson.body.data.amountMinor]).toEqual([4, 8]);
    expect(await left(paid)).toBe(600_000 - 15);
  });

  it('409 never refunds more than was paid, also in parallel', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => refund(paid.payment.id, { amountMinor: 100_000 })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect([answers.length - refused.length, refused.length]).toEqual([6, 44]);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
      new Set(['409 payment_not_refundable']),
    );
    expect(await world.refunds.list(paid)).toHaveLength(6);
    expect(await left(paid)).toBe(0);
  });

  it('201 refunds what is left beside another refund, whichever comes first', async () => {
    for (let n = 0; n < 5; n += 1) {
      const paid = await answeredPayment(world, account, { state: 'succeeded' });
      const [part, rest] = await Promise.all([
        refund(paid.payment.id, { amountMinor: 100_000 }),
        refund(paid.payment.id),
      ]);
      expect(rest.status).toBe(201);
      expect(await left(paid)).toBe(0);
      if (part.status === 409) expect(part.body.error.message).toBe('Nothing of this payment is left to refund.');
      else expect(rest.body.data.amountMinor).toBe(500_000);
    }
  });

  it('201 creates one refund per key for any bodies, also concurrently', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const key = { 'idempotency-key': 'refund-1042' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => refund(paid.payment.id, { amountMinor: 100 + n }, key)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['Idempotent-Replay'] === undefined)).toHaveLength(1);
    expect(await world.refunds.list(paid)).toHaveLength(1);
    await refund(paid.payment.id, {}, { 'idempotency-key': 'another' });
    expect((await refund(paid.payment.id, {}, key)).status).toBe(201);
    expect((await refund(paid.payment.id, {})).status).toBe(409);
  });

  it('503 asks to retry where the key is there, and the refund that was written with it cannot be read yet', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const key = { 'idempotency-key': 'refund-1042' };
    const first = await refund(paid.payment.id, {}, key);
    const get: Table['get'] = async (wanted) => (wanted.SK.startsWith('REFUND#') ? undefined : world.table.get(wanted));
    const early = { ...world, refunds: refundStore({ ...world.table, get }, world.vault) };
    const request = { path: { paymentId: paid.payment.id }, body: {}, headers: key };
    const repeated = await call(endpoint(createRefundContract, createRefund(early), keylessSurface), request);
    expect([repeated.status, repeated.headers['Retry-After']]).toEqual([503, '1']);
    expect((await refund(paid.payment.id, {}, key)).text).toBe(first.text);
  });

  it('409 refuses one unit too much, and a payment that has not succeeded', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const failed = await answeredPayment(world, account, { state: 'failed' });
    const pending = await begunPayment(world, account);
    for (const [{ payment }, body] of [
      [paid, { amountMinor: 600_001 }],
      [failed, {}],
      [failed, { amountMinor: 1 }],
      [pending, { amountMinor: 1 }],
    ] as const) {
      const answer = await refund(payment.id, body);
      expect([answer.status, answer.body.error.code]).toEqual([409, 'payment_not_refundable']);
      expect(answer.body.error.message).toContain(payment === paid.payment ? 'At most 600000 ' : 'has succeeded');
    }
    expect(await left(paid)).toBe(600_000);
  });

  it('400 refuses an amount that is none, and a reason that is no text', async () => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const amounts = [0, -1, 1.5, '100', Number.MAX_SAFE_INTEGER + 1].map((amountMinor) => ({ amountMinor }));
    for (const wish of [...amounts, { reason: 5 }, { reason: ' ' }, { reason: 'x'.repeat(256) }]) {
      const { status, body } = await refund(paid.payment.id, wish);
      expect([wish, status, body.error.code]).toEqual([wish, 400, 'invalid_request']);
    }
    expect(await left(paid)).toBe(600_000);
  });

  it('404 answers an unknown payment', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'x'])
      expect((await refund(id)).body.error.code).toBe('payment_not_found');
  });
});
