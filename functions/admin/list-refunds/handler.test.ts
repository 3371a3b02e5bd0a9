import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderNumberOf } from '../../../shared/checkout/order-number.ts';
import { newRefund } from '../../../shared/checkout/refund.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listRefundsContract } from './contract.ts';
import { listRefunds } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (paymentId: string) =>
  call(endpoint(listRefundsContract, listRefunds(world), keylessSurface), { path: { paymentId } });

describe('GET /admin/v1/payments/{paymentId}/refunds', () => {
  it('200 lists the payment’s refunds, oldest first', async () => {
    const paid = await answeredPayment(world, await world.newAccount(), { state: 'succeeded' });
    const nowMs = Date.now();
    for (const [n, amountMinor] of [100, 200].entries()) {
      const id = newId(nowMs + n);
      await world.refunds.add(paid, newRefund(paid.payment, { id, amountMinor, reason: undefined, nowMs }));
    }
    const { status, body } = await list(paid.payment.id);
    expect(status).toBe(200);
    expect(body.data.map(({ amountMinor }: { amountMinor: number }) => amountMinor)).toEqual([100, 200]);
    for (const refund of body.data) expect(refund).not.toHaveProperty('orderNumber');
  });

  it('200 names the refunds that a person can settle as their gateway knows them', async () => {
    const paid = await answeredPayment(world, await world.newAccount(), { state: 'succeeded' });
    const nowMs = Date.now() - 16 * 60_000;
    const id = newId(nowMs);
    await world.refunds.add(paid, newRefund(paid.payment, { id, amountMinor: 100, reason: undefined, nowMs }));
    expect((await list(paid.payment.id)).body.data).toMatchObject([{ id, orderNumber: orderNumberOf(id) }]);
  });

  it('404 answers an unknown payment', async () => {
    expect((await list('01932f6e-8c00-7000-8000-000000000000')).body.error.code).toBe('payment_not_found');
  });
});
