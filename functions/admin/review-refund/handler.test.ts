import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newClaim } from '../../../shared/checkout/claim.ts';
import { newRefund } from '../../../shared/checkout/refund.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { call } from '../../../test/call.ts';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { reviewRefundContract } from './contract.ts';
import { reviewRefund } from './handler.ts';

const longAgoMs = 16 * 60_000;

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const review = ({ paymentId, refundId }: { paymentId: string; refundId: string }, body: unknown) =>
  call(endpoint(reviewRefundContract, reviewRefund(world), keylessSurface), { path: { paymentId, refundId }, body });

/** A refund of 2,500.00 of 6,000.00, whose gateway was asked for it this long ago and has not answered. */
const openRefund = async ({
  agoMs = longAgoMs,
  claimedAgoMs = agoMs,
}: {
  agoMs?: number;
  claimedAgoMs?: number;
} = {}) => {
  const paid = await answeredPayment(world, account, { state: 'succeeded' });
  const nowMs = Date.now();
  const wish = { id: newId(nowMs - agoMs), amountMinor: 250_000, reason: undefined, nowMs: nowMs - agoMs };
  const refund = newRefund(paid.payment, wish);
  await world.refunds.add(paid, refund);
  await world.refunds.claim(refund, nowMs - claimedAgoMs);
  const { sessionId, id } = refund;
  return {
    ids: { paymentId: paid.payment.id, refundId: id },
    paid,
    now: async () => (await world.refunds.find(sessionId, id)) ?? expect.fail(),
    row: () => world.table.get(itemKeys.refund(sessionId, id)),
  };
};

/** The gateway has named it, and goes on to process it. */
const accept = async ({ now }: Awaited<ReturnType<typeof openRefund>>) => {
  const change = { status: 'PENDING', reference: newId(Date.now()), failureReason: undefined } as const;
  expect(await world.refunds.saveAnswer(await now(), change)).toBe(true);
};

describe('POST /admin/v1/payments/{paymentId}/refunds/{refundId}/resolution', () => {
  it('200 FAILED: the amount can be refunded again, and the merchant sees why', async () => {
    const { ids, now, row } = await openRefund();
    const failureReason = 'The bank of Ada rejected it.';
    const { status, body } = await review(ids, { status: 'FAILED', failureReason });
    expect([status, body.data]).toMatchObject([200, { id: ids.refundId, status: 'FAILED', failureReason }]);
    expect(await now()).toMatchObject({
      refund: { status: 'FAILED', failureReason },
      payment: { refundableMinor: 600_000 },
    });
    expect(await row()).not.toHaveProperty('GSI1PK');
    expect(JSON.stringify(await world.scan())).not.toContain(failureReason);
  });

  it('200 SUCCEEDED: the money has gone back, and no check follows', async () => {
    const { ids, now, row } = await openRefund();
    const { body } = await review(ids, { status: 'SUCCEEDED', failureReason: 'not one' });
    expect(body.data).toMatchObject({ status: 'SUCCEEDED', failureReason: null });
    expect(await now()).toMatchObject({ refund: { status: 'SUCCEEDED' }, payment: { refundableMinor: 350_000 } });
    expect(await row()).not.toHaveProperty('GSI1PK');
  });

  it('200 settles a refund that its gateway accepted when it has not ended by the last check', async () => {
    const accepted = await openRefund({ agoMs: 31 * dayMs });
    await accept(accepted);
    expect((await review(accepted.ids, { status: 'FAILED' })).body.data).toMatchObject({ status: 'FAILED' });
    expect((await accepted.now()).payment.refundableMinor).toBe(600_000);
  });

  it('409 settles once, also in parallel and after the gateway', async () => {
    const { ids, now } = await openRefund();
    const words = ['FAILED', 'SUCCEEDED', 'FAILED', 'SUCCEEDED', 'FAILED'];
    const answers = await Promise.all(words.map((status) => review(ids, { status })));
    const [done, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect((await now()).refund.status).toBe(done?.body.data.status);
    expect((await now()).payment.refundableMinor).toBe(done?.body.data.status === 'FAILED' ? 600_000 : 350_000);
    expect(answers.filter(({ body }) => body.error?.code === 'conflict')).toHaveLength(4);

    const answered = await openRefund();
    const change = { status: 'SUCCEEDED', reference: newId(Date.now()), failureReason: undefined } as const;
    await world.refunds.saveAnswer(await answered.now(), change);
    expect((await review(answered.ids, { status: 'FAILED' })).body.error.code).toBe('conflict');
    expect((await answered.now()).payment.refundableMinor).toBe(350_000);
  });

  it('409 while the gateway may still answer by itself, or is being asked', async () => {
    const accepted = await openRefund({ agoMs: 29 * dayMs });
    await accept(accepted);
    const early = [await openRefund({ agoMs: 14 * 60_000 }), await openRefund({ claimedAgoMs: 10_000 })];
    for (const open of [...early, accepted]) {
      const { status, body } = await review(open.ids, { status: 'FAILED' });
      expect([status, body.error.code]).toEqual([409, 'conflict']);
      expect((await open.now()).refund.status).toBe('PENDING');
    }
  });

  it('409 for a run that asks the gateway between the reading and the writing of the review', async () => {
    const { ids, now, paid } = await openRefund();
    const read = await now();
    await world.refunds.release(read.refund, read.refund.claim ?? newClaim('', 0));
    let isFirst = true;
    const refunds = {
      ...world.refunds,
      saveAnswer: async (...input: Parameters<typeof world.refunds.saveAnswer>) => {
        if (isFirst) await world.refunds.claim(read.refund, Date.now());
        isFirst = false;
        return world.refunds.saveAnswer(...input);
      },
    };
    const handler = endpoint(reviewRefundContract, reviewRefund({ ...world, refunds }), keylessSurface);
    const { body } = await call(handler, { path: ids, body: { status: 'FAILED' } });
    expect(body.error.code).toBe('conflict');
    expect(await world.refunds.list(paid)).toMatchObject([{ status: 'PENDING' }]);
  });

  it('404 knows no other payments, and no refunds of others', async () => {
    const [{ ids }, other] = [await openRefund(), await openRefund()];
    for (const [paymentId, refundId, code] of [
      ['x', ids.refundId, 'payment_not_found'],
      [ids.paymentId, 'x', 'refund_not_found'],
      [ids.paymentId, other.ids.refundId, 'refund_not_found'],
    ] as const)
      expect((await review({ paymentId, refundId }, { status: 'FAILED' })).body.error.code).toBe(code);
  });

  it('400 refuses any other status', async () => {
    const { ids } = await openRefund();
    for (const body of [{}, { status: 'PENDING' }, { status: 'FAILED', failureReason: '' }])
      expect((await review(ids, body)).body.error.code).toBe('invalid_request');
  });
});
