import { beforeAll, describe, expect, it } from 'vitest';
import { type Merchant, newMerchant } from './checkout-merchant.ts';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// Refunds: those that an operator requests, and automatic ones of money that a session did not expect.

const open = { status: 'OPEN', paymentStatus: 'PENDING' };
const completed = { status: 'COMPLETED', paymentStatus: 'SUCCEEDED' };
const expired = { status: 'EXPIRED', paymentStatus: 'EXPIRED' };
/** When the gateway reports a late success. */
const lateMs = 4_000;

let stack: SharedStack;
beforeAll(async () => {
  stack = await shareTestStack();
});

/** A merchant with a receiver while `use` runs. */
const listening = async (
  use: (merchant: Merchant, ear: Awaited<ReturnType<Merchant['listen']>>) => Promise<void>,
  settings: object = {},
) => {
  const merchant = await newMerchant(stack, settings);
  const ear = await merchant.listen();
  await use(merchant, ear);
  await ear.receiver.close();
};

const sorted = (texts: readonly string[]): string[] => [...texts].sort();

describe('POST /admin/v1/payments/{paymentId}/refunds', () => {
  it('201 refunds the whole payment, and the merchant receives an event', async () => {
    await listening(async (merchant, { receivedEvents }) => {
      const { sessionId, paymentId } = await merchant.paid(600_000, { metadata: { orderId: '1042' } });
      const { status, body } = await merchant.refund(paymentId, { reason: 'Returned' });
      const { id: refundId, createdAt } = body.data;
      const record = {
        ...{ id: refundId, paymentId, amountMinor: 600_000, currency: 'BDT', status: 'PENDING', reason: 'Returned' },
        ...{ isAutomatic: false, failureReason: null, createdAt },
      };
      expect([status, body.data]).toEqual([201, record]);
      await expect.poll(() => merchant.refunds(paymentId), soon).toEqual([{ ...record, status: 'SUCCEEDED' }]);
      await expect.poll(() => receivedEvents().map(({ event }) => event), soon).toContain('refund.succeeded');
      expect(receivedEvents().find(({ event }) => event === 'refund.succeeded')).toEqual({
        event: 'refund.succeeded',
        merchantId: merchant.id,
        data: { refundId, paymentId, amountMinor: 600_000, status: 'SUCCEEDED' },
      });
      expect(await merchant.status(sessionId)).toEqual(completed);
      expect((await merchant.report()).data[0]).toMatchObject({ status: 'SUCCEEDED', refundableMinor: 0 });
      const again = await merchant.refund(paymentId);
      expect([again.status, again.body.error.code]).toEqual([409, 'payment_not_refundable']);
    });
  });

  it('with the amount 1001 the refund fails, and its amount can be refunded again', async () => {
    await listening(async (merchant, { receivedEvents }) => {
      const { paymentId } = await merchant.paid(2_000);
      const { id: refundId } = (await merchant.refund(paymentId, { amountMinor: 1_001 })).body.data;
      const refundable = async () => (await merchant.report()).data[0].refundableMinor;
      await expect
        .poll(() => merchant.refunds(paymentId), soon)
        .toMatchObject([{ id: refundId, status: 'FAILED', failureReason: expect.any(String) }]);
      expect(await refundable()).toBe(2_000);
      expect((await merchant.refund(paymentId)).status).toBe(201);
      await expect.poll(() => receivedEvents().length, soon).toBe(3);
      const data = { refundId, paymentId, amountMinor: 1_001, status: 'FAILED' };
      expect(receivedEvents()).toContainEqual({ event: 'refund.failed', merchantId: merchant.id, data });
      expect(sorted(receivedEvents().map(({ event }) => event))).toEqual([
        'payment.succeeded',
        'refund.failed',
        'refund.succeeded',
      ]);
      expect(await refundable()).toBe(0);
    });
  });
});

describe('an injected fault', () => {
  const troubled = async (merchant: Merchant, chaos: string, amountMinor = 600_000) => {
    const sessionId = await merchant.newSession(amountMinor);
    expect((await merchant.setChaos(sessionId, chaos)).status).toBe(200);
    const { body } = await merchant.pay(sessionId);
    return { sessionId, paymentId: String(body.data.paymentId), status: body.data.status };
  };

  /** The events so far. It waits for the event of a later payment. */
  const eventsBefore = async (
    merchant: Merchant,
    receivedEvents: () => { event: string; data: Record<string, unknown> }[],
  ) => {
    const { paymentId } = await merchant.paid(700_000);
    const others = () => receivedEvents().filter(({ data }) => data['paymentId'] !== paymentId);
    await expect.poll(() => receivedEvents().length - others().length, soon).toBe(1);
    return others();
  };

  it('duplicate_notification: one event', async () => {
    await listening(async (merchant, { receivedEvents }) => {
      const { sessionId, paymentId } = await troubled(merchant, 'duplicate_notification', 1_003);
      await expect.poll(() => merchant.view(sessionId), soon).toEqual(completed);
      expect(await eventsBefore(merchant, receivedEvents)).toMatchObject([
        { event: 'payment.succeeded', data: { paymentId } },
      ]);
      expect(await merchant.refunds(paymentId)).toEqual([]);
    });
  });

  it('tampered_amount: pending for all readers, held for review, and no event', async () => {
    await listening(async (merchant, { receivedEvents }) => {
      const { sessionId, paymentId, status } = await troubled(merchant, 'tampered_amount');
      expect(status).toBe('PENDING');
      for (let n = 0; n < 3; n += 1) expect(await merchant.status(sessionId)).toEqual(open);
      expect(await merchant.report()).toMatchObject({
        data: [{ id: paymentId, status: 'PENDING', mark: 'held', amountMinor: 600_000, refundableMinor: 0 }],
        states: { HELD: 1 },
      });
      expect((await merchant.pay(sessionId)).body.error.code).toBe('payment_in_progress');
      expect((await merchant.refund(paymentId)).status).toBe(409);
      expect(await eventsBefore(merchant, receivedEvents)).toEqual([]);
    });
  });

  it('late_success: the session is expired, the money is refunded, and the merchant receives no event', async () => {
    await listening(async (merchant, { receivedEvents }) => {
      const { sessionId, paymentId, status } = await troubled(merchant, 'late_success');
      expect([status, await merchant.status(sessionId)]).toEqual(['EXPIRED', expired]);
      const back = { amountMinor: 600_000, isAutomatic: true, status: 'SUCCEEDED' };
      await expect.poll(() => merchant.refunds(paymentId), soon).toMatchObject([back]);
      expect(await merchant.status(sessionId)).toEqual(expired);
      const [payment] = (await merchant.report()).data;
      expect(payment).toMatchObject({ id: paymentId, status: 'SUCCEEDED', mark: 'surplus', refundableMinor: 0 });
      expect((await merchant.pay(sessionId)).body.error.code).toBe('session_not_open');
      expect((await merchant.refund(paymentId)).status).toBe(409);
      expect(await eventsBefore(merchant, receivedEvents)).toEqual([]);
    });
  });

  it('late_success for a merchant who accepts late payments: the session is completed, with its event', async () => {
    const settings = { checkout: { acceptsLatePayments: true, sendsReceipts: false } };
    await listening(async (merchant, { receivedEvents }) => {
      const startMs = Date.now();
      const { sessionId, paymentId } = await troubled(merchant, 'late_success');
      const status = await merchant.status(sessionId);
      if (Date.now() - startMs < lateMs) expect(status).toEqual(expired);
      await expect.poll(() => merchant.view(sessionId), soon).toEqual(completed);
      await expect.poll(receivedEvents, soon).toMatchObject([{ event: 'payment.succeeded', data: { paymentId } }]);
      const [payment] = (await merchant.report()).data;
      expect(payment).toMatchObject({ status: 'SUCCEEDED', mark: 'late', refundableMinor: 600_000 });
      expect(await merchant.refunds(paymentId)).toEqual([]);
    }, settings);
  });
});
