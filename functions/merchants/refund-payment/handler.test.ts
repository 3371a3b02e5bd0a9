import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { decided } from '../../../test/decided.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { merchantCalls } from '../../../test/merchant-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';

let world: World;
let account: TestAccount;
let key: string;
let server: ReturnType<typeof merchantCalls>;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  key = await world.newCheckoutKey(account.ref);
  server = merchantCalls(world);
});
afterAll(() => world.close());

const paid = () => answeredPayment(world, account, { state: 'succeeded' });

describe('POST /v1/payments/{id}/refunds', () => {
  it('201 refunds what is left when no amount is sent', async () => {
    const { payment } = await paid();
    expect((await server.refund(key, payment.id, { amountMinor: 100_000 })).status).toBe(201);
    const { status, body } = await server.refund(key, payment.id, { reason: 'Returned' });
    expect([status, body.data]).toMatchObject([
      201,
      { paymentId: payment.id, amountMinor: 500_000, status: 'PENDING', reason: 'Returned' },
    ]);
  });

  it('201 refunds all that is left also where it is left since the payment was read', async () => {
    const { payment, ...found } = await paid();
    await server.refund(key, payment.id, {});
    const [open] = await world.refunds.list({ payment, ...found });
    const refund = open && (await world.refunds.find(payment.sessionId, open.id));
    if (!refund) throw new Error('no refund is open');
    const failed = { status: 'FAILED', reference: undefined, failureReason: 'declined' } as const;
    const meanwhile = merchantCalls({
      ...world,
      payments: {
        ...world.payments,
        findById: async (id) => {
          const before = await world.payments.findById(id);
          expect(before?.payment.refundableMinor).toBe(0);
          expect(await world.refunds.saveAnswer(refund, failed)).toBe(true);
          return before;
        },
      },
    });
    const { status, body } = await meanwhile.refund(key, payment.id, {});
    expect([status, body.data.amountMinor]).toEqual([201, 600_000]);
  });

  it('201 names payment and refund in the line of the request', async () => {
    const { payment } = await paid();
    const ids: string[] = [];
    const lines = await linesOf(async () => ids.push((await server.refund(key, payment.id, {})).body.data.id));
    const about = { sessionId: payment.sessionId, paymentId: payment.id, refundId: ids[0] };
    expect(lines).toContainEqual(expect.objectContaining({ message: 'answered', ...about }));
  });

  it('201 returns the refund of its Idempotency-Key, also concurrently and with another body', async () => {
    const { payment } = await paid();
    const headers = { 'idempotency-key': 'refund-1' };
    const answers = await Promise.all(
      [100, 200, 300].map((amountMinor) => decided(() => server.refund(key, payment.id, { amountMinor }, headers))),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
    const again = await server.refund(key, payment.id, '{', headers);
    expect([again.status, again.headers['Idempotent-Replay']]).toEqual([201, 'true']);
  });

  it('409 conflict refuses more than the balance, and changes nothing', async () => {
    const { payment } = await paid();
    const failed = await answeredPayment(world, account, { state: 'failed' });
    for (const [id, body] of [
      [payment.id, { amountMinor: 600_001 }],
      [failed.payment.id, {}],
    ] as const) {
      const answer = await server.refund(key, id, body);
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict']);
    }
    expect((await server.getPayment(key, payment.id)).body.data.refundedMinor).toBe(0);
  });

  it('400 refuses an amount that is none', async () => {
    const { payment } = await paid();
    for (const amountMinor of [0, -1, 1.5, '100'])
      expect((await server.refund(key, payment.id, { amountMinor })).body.error.code).toBe('bad_request');
  });

  it('404 answers the payment of another account or mode, also under a known Idempotency-Key', async () => {
    const { payment } = await paid();
    const headers = { 'idempotency-key': 'refund-2' };
    await server.refund(key, payment.id, {}, headers);
    const stranger = await world.newCheckoutKey((await world.newAccount()).ref);
    const live = await world.newCheckoutKey(account.ref, { livemode: true });
    for (const other of [stranger, live])
      expect((await server.refund(other, payment.id, {}, headers)).body.error.code).toBe('payment_not_found');
  });
});
