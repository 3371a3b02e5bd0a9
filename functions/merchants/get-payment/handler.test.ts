import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settlementOf } from '../../../shared/checkout/settle-payment.ts';
import { newId } from '../../../shared/kit/id.ts';
import { answeredPayment, begunPayment } from '../../../test/checkout-fixture.ts';
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

describe('GET /v1/payments/{id}', () => {
  it('200 answers exactly the documented fields, with what has been refunded', async () => {
    const { payment, session } = await answeredPayment(
      world,
      account,
      { state: 'succeeded', transactionId: 'T1' },
      { invoiceId: 'INV-1' },
    );
    await server.refund(key, payment.id, { amountMinor: 250_000 });
    const { status, body } = await server.getPayment(key, payment.id);
    expect([status, body.data]).toEqual([
      200,
      {
        id: payment.id,
        checkoutSessionId: session.id,
        status: 'SUCCEEDED',
        amountMinor: 600_000,
        refundedMinor: 250_000,
        currency: 'BDT',
        gatewayCode: 'sim_card',
        displayLabel: 'sim_card',
        gatewayTransactionId: 'T1',
        failureCode: null,
        failureReason: null,
        createdAt: expect.stringMatching(/Z$/),
        settledAt: expect.stringMatching(/Z$/),
        metadata: { orderId: '1042' },
        invoiceId: 'INV-1',
      },
    ]);
  });

  it.each([
    ['FAILED', { state: 'failed', code: 'declined', reason: 'No money' }, ['declined', 'No money']],
    ['EXPIRED', { state: 'expired' }, [null, null]],
  ] as const)(
    'a payment that is %s says of money of another amount that its gateway reports later that it is held, and does not name it as its failure',
    async (ended, answer, failure) => {
      const failed = await answeredPayment(world, account, answer);
      const failureOf = async () => {
        const { data } = (await server.getPayment(key, failed.payment.id)).body;
        return [data.status, data.failureCode, data.failureReason];
      };
      expect(await failureOf()).toEqual([ended, ...failure]);
      const { session, payment } = failed;
      const reported = { paymentId: payment.id, amountMinor: payment.amountMinor - 1, currency: payment.currency };
      const held = settlementOf({
        ...{ session, payment, answer: { state: 'succeeded', code: 'VALID', ...reported } },
        ...{ acceptsLatePayments: false, refundId: newId(Date.now()), nowMs: Date.now() },
      });
      expect(held && (await world.payments.saveSettlement(failed, held))).toBe(true);
      expect(await failureOf()).toEqual([
        ended,
        null,
        'The gateway has reported money since, which is held for review.',
      ]);
    },
  );

  it('404 answers the payment of another account or mode, an unknown and a malformed id', async () => {
    const stranger = await begunPayment(world, await world.newAccount());
    const live = await begunPayment(world, account, { livemode: true });
    const unknown = '01932f6e-8c00-7000-8000-000000000000';
    for (const id of [stranger.payment.id, live.payment.id, unknown, 'x']) {
      const { status, body } = await server.getPayment(key, id);
      expect([status, body.error.code]).toEqual([404, 'payment_not_found']);
    }
  });
});
