import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoundPayment } from '../../../shared/checkout/payment.ts';
import { paymentViewOf } from '../../../shared/checkout/payment-view.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { call } from '../../../test/call.ts';
import { answeredPayment, begunPayment } from '../../../test/checkout-fixture.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { reviewPaymentContract } from './contract.ts';
import { reviewPayment } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const review = (paymentId: string, body: unknown) =>
  call(endpoint(reviewPaymentContract, reviewPayment(world), keylessSurface), { path: { paymentId }, body });

/** A payment for which the gateway has reported one unit too much. */
const held = (owner = account) => answeredPayment(world, owner, { state: 'succeeded', amountMinor: 600_001 });
const now = async ({ session, payment }: FoundPayment) => world.payments.find(session.id, payment.id);
const reported = { amountMinor: 600_001, currency: 'BDT' };

describe('POST /admin/v1/payments/{paymentId}/resolution', () => {
  it('200 accept: completes the session', async () => {
    const found = await held();
    const { status, body } = await review(found.payment.id, { decision: 'accept', reason: 'Ada showed the statement' });
    expect([status, body.data]).toMatchObject([
      200,
      {
        id: found.payment.id,
        status: 'SUCCEEDED',
        mark: null,
        refundableMinor: 600_000,
        lastAnswer: { state: 'succeeded', reported },
        review: { decision: 'accept', reason: 'Ada showed the statement' },
      },
    ]);
    expect(await now(found)).toMatchObject({
      session: { status: 'COMPLETED', paymentStatus: 'SUCCEEDED', livePaymentId: undefined },
      payment: { status: 'SUCCEEDED', mark: undefined, review: { decision: 'accept' } },
    });
    expect(JSON.stringify(await world.scan())).not.toContain('Ada showed');
  });

  const expired = async (owner = account) => {
    const found = await held(owner);
    const session = { status: 'EXPIRED', paymentStatus: 'EXPIRED', livePaymentId: undefined } as const;
    await world.payments.saveSettlement(found, { payment: found.payment, session, refund: undefined });
    return found;
  };

  it('200 accept: after the session has expired, where the account accepts late payments', async () => {
    const checkout = { acceptsLatePayments: true, sendsReceipts: false };
    const found = await expired(await world.newAccount({ settings: { checkout } }));
    expect((await review(found.payment.id, { decision: 'accept' })).body.data).toMatchObject({ mark: 'late' });
    expect((await now(found))?.session.status).toBe('COMPLETED');
    expect(await world.refunds.list(found)).toEqual([]);
  });

  it('409 accept: where the payment cannot complete its session, and what the gateway reported can still go back', async () => {
    const found = await expired();
    const before = await now(found);
    const { status, body } = await review(found.payment.id, { decision: 'accept' });
    expect([status, body.error]).toMatchObject([
      409,
      { code: 'conflict', message: expect.stringContaining('can no longer complete its session. Refund what') },
    ]);
    expect(await now(found)).toEqual(before);
    expect((await review(found.payment.id, { decision: 'refund' })).status).toBe(200);
    expect(await world.refunds.list(found)).toMatchObject([reported]);
  });

  it('200 refund: what the gateway reported goes back, and the session is free again', async () => {
    const found = await held();
    const { body } = await review(found.payment.id, { decision: 'refund' });
    expect(body.data).toMatchObject({ status: 'SUCCEEDED', mark: 'surplus', refundableMinor: 0 });
    expect(await world.refunds.list(found)).toMatchObject([{ ...reported, status: 'PENDING', isAutomatic: true }]);
    expect((await now(found))?.session).toMatchObject({ status: 'OPEN', paymentStatus: 'FAILED' });
    const shown = async () => {
      const paid = (await now(found)) ?? expect.fail();
      return paymentViewOf(paid, { methods: { current: [], retired: [] }, nowMs: Date.now() });
    };
    expect(await shown()).toMatchObject({
      refundedMinor: reported.amountMinor,
      failureCode: 'surplus',
      failureReason: 'The money does not complete the session. A manual review decided to refund it.',
    });
    const [{ id = '' } = {}] = await world.refunds.list(found);
    const refund = (await world.refunds.find(found.session.id, id)) ?? expect.fail();
    await world.refunds.saveAnswer(refund, { status: 'FAILED', reference: undefined, failureReason: 'no' });
    expect((await shown()).refundedMinor).toBe(0);
  });

  it('200 refund: what the gateway has goes back, where a person found out that this is not what it reported', async () => {
    const found = await answeredPayment(world, account, { state: 'succeeded', amountMinor: 300_000 });
    const { body } = await review(found.payment.id, { decision: 'refund', amountMinor: 600_000 });
    expect(body.data).toMatchObject({ mark: 'surplus', review: { decision: 'refund', amountMinor: 600_000 } });
    expect(await world.refunds.list(found)).toMatchObject([{ amountMinor: 600_000, currency: 'BDT' }]);
    const paid = (await now(found)) ?? expect.fail();
    const methods = { current: [], retired: [] };
    expect(paymentViewOf(paid, { methods, nowMs: Date.now() }).refundedMinor).toBe(600_000);
  });

  it('400 refund: of more than the gateway can have, and of an amount with another decision', async () => {
    const found = await held();
    const refused = [
      [{ decision: 'refund', amountMinor: 600_002 }, 'amountMinor: must be at most 600001'],
      [{ decision: 'accept', amountMinor: 1 }, 'amountMinor: is allowed with the decision refund only'],
    ] as const;
    for (const [body, message] of refused)
      expect((await review(found.payment.id, body)).body.error).toMatchObject({ code: 'invalid_request', message });
    expect((await now(found))?.payment.mark).toBe('held');
  });

  it('200 reject: the payment has failed, and the session is free again', async () => {
    const found = await held();
    expect((await review(found.payment.id, { decision: 'reject' })).body.data).toMatchObject({
      status: 'FAILED',
      mark: null,
      review: { decision: 'reject', at: expect.stringMatching(/Z$/) },
    });
    expect(await now(found)).toMatchObject({
      session: { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined },
      payment: { status: 'FAILED', mark: undefined },
    });
    expect(await world.refunds.list(found)).toEqual([]);
  });

  it('409 reviews once, also in parallel', async () => {
    const found = await held();
    const decisions = ['accept', 'refund', 'reject', 'refund', 'accept', 'refund'];
    const answers = await Promise.all(decisions.map((decision) => review(found.payment.id, { decision })));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    const [{ review: kept, mark }] = done.map(({ body }) => body.data);
    expect((await now(found))?.payment.review).toEqual(kept);
    expect(await world.refunds.list(found)).toHaveLength(mark === 'surplus' ? 1 : 0);
    const again = await review(found.payment.id, { decision: kept.decision });
    for (const { status, body } of [...answers.filter((answer) => !done.includes(answer)), again])
      expect([status, body.error?.code]).toEqual([409, 'conflict']);
  });

  it('409 accept: while another payment is in progress, and 200 when that has ended', async () => {
    const found = await held();
    const free = { status: 'OPEN', paymentStatus: 'FAILED', livePaymentId: undefined } as const;
    const payment = { ...found.payment, status: 'EXPIRED' } as const;
    await world.payments.saveSettlement(found, { payment, session: free, refund: undefined });
    const Key = itemKeys.checkoutSession(found.session.id);
    await world.table.update({
      Key,
      UpdateExpression: 'SET livePaymentId = :another',
      ExpressionAttributeValues: { ':another': newId(Date.now()) },
    });
    const { status, body } = await review(found.payment.id, { decision: 'accept' });
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('Decide again when that has ended')]);
    await world.table.update({ Key, UpdateExpression: 'REMOVE livePaymentId' });
    expect((await review(found.payment.id, { decision: 'accept' })).body.data).toMatchObject({ mark: null });
  });

  it('409 leaves payments alone that are not held', async () => {
    const others = [await begunPayment(world, account), await answeredPayment(world, account, { state: 'succeeded' })];
    for (const other of others) {
      const { status, body } = await review(other.payment.id, { decision: 'refund' });
      expect([status, body.error.code]).toEqual([409, 'conflict']);
      expect(await now(other)).toEqual(other);
    }
  });

  it('404 knows no other payments', async () => {
    for (const id of ['x', newId(Date.now())])
      expect((await review(id, { decision: 'accept' })).body.error.code).toBe('payment_not_found');
  });

  it('400 refuses any other decision', async () => {
    for (const body of [{}, { decision: 'hold' }, { decision: 'accept', reason: '' }])
      expect((await review((await held()).payment.id, body)).body.error.code).toBe('invalid_request');
  });
});
