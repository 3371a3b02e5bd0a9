import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutEventNames } from '../../../shared/checkout/events.ts';
import { newRefund } from '../../../shared/checkout/refund.ts';
import { newId } from '../../../shared/kit/id.ts';
import { noticeJob } from '../../../shared/notices/notice-job.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';
import { answeredPayment, openSession } from '../../../test/checkout-fixture.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { jobsFor } from '../../../test/outbox-calls.ts';
import { startWaitingList } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { publishCheckoutEvent } from './publish-checkout-event.ts';

let world: World;
let account: TestAccount;
let webhookId: string;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
  const events = [...checkoutEventNames];
  const fields = { name: 'n', url: 'https://example.com/hooks', events, isActive: true };
  webhookId = (await world.checkoutWebhooks.create(account.ref, newId(Date.now()), fields, { secret: 's', most: 20 }))
    .id;
  await world.webhooks.create(account.ref, newId(Date.now()), fields, { secret: 's', most: 20 });
});
afterAll(() => world.close());

const atMs = 1_795_176_000_000;

const publish = async (changes: readonly Partial<Change>[]): Promise<DeliveryJob[]> => {
  const webhookDeliveriesQueue = startWaitingList(world);
  const defaults = { before: undefined, after: undefined, sequence: '1', atMs };
  const publishOne = publishCheckoutEvent({ ...world, webhookDeliveriesQueue });
  for (const job of await jobsFor(
    'notices',
    noticeJob,
    changes.map((change) => ({ ...defaults, ...change })),
  ))
    if (job.kind === 'payment' || job.kind === 'refund' || job.kind === 'session') await publishOne(job);
  return webhookDeliveriesQueue.jobs;
};

const payloadOf = async ({ webhook, delivery }: DeliveryJob) => {
  const job = { account: account.ref.id, webhook, delivery, attempt: 1, lane: 'fast' } as const;
  const all = await world.attempts.load([job]);
  const loaded = all?.delivery(job);
  return { ...loaded?.delivery, payload: JSON.parse((loaded && (await all?.payload(loaded))) ?? '') };
};

/** The change that a payment's answer is in the table. */
const paymentChange = async (state: 'succeeded' | 'failed') => {
  const { payment } = await answeredPayment(world, account, { state });
  const after = await world.table.get(itemKeys.payment(payment.sessionId, payment.id));
  return { payment, change: { before: { ...after, status: 'PENDING' }, after } };
};

describe('checkout events', () => {
  it.each([
    ['succeeded', 'payment.succeeded'],
    ['failed', 'payment.failed'],
  ] as const)(
    'a payment that has %s is published once, with its session’s metadata, to checkout subscriptions only',
    async (state, event) => {
      const { payment, change } = await paymentChange(state);
      const jobs = await publish([change]);
      expect(jobs.map(({ webhook }) => webhook)).toEqual([webhookId]);
      const delivery = await payloadOf(jobs[0] as DeliveryJob);
      expect(delivery).toMatchObject({
        event,
        payload: {
          event,
          merchantId: account.ref.id,
          data: {
            paymentId: payment.id,
            checkoutSessionId: payment.sessionId,
            amountMinor: 600_000,
            currency: 'BDT',
            metadata: { orderId: '1042' },
          },
        },
      });
      expect(Object.keys(delivery.payload.data)).toEqual([
        'paymentId',
        'checkoutSessionId',
        'amountMinor',
        'currency',
        'metadata',
      ]);
      expect((await publish([change])).map((job) => job.delivery)).toEqual(jobs.map((job) => job.delivery));
    },
  );

  it('a session that expires has one event, whichever way it does', async () => {
    const session = openSession(account.ref.id);
    await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
    const before = await world.table.get(itemKeys.checkoutSession(session.id));
    await world.sessions.expire(session, session.expiresMs);
    const after = await world.table.get(itemKeys.checkoutSession(session.id));
    const jobs = await publish([{ before, after }]);
    expect(jobs).toHaveLength(1);
    expect((await payloadOf(jobs[0] as DeliveryJob)).payload).toEqual({
      event: 'checkout_session.expired',
      merchantId: account.ref.id,
      data: { checkoutSessionId: session.id, metadata: { orderId: '1042' } },
    });
    expect((await publish([{ before, after }])).map((job) => job.delivery)).toEqual(jobs.map((job) => job.delivery));
    expect(await publish([{ after: before }, { before, after: before }, { before: after, after }])).toEqual([]);
  });

  it('surplus money and later changes of a payment have no event', async () => {
    const { change } = await paymentChange('succeeded');
    const surplus = { ...change, after: { ...change.after, mark: 'surplus' } };
    const refunded = { before: change.after, after: { ...change.after, refundableMinor: 0 } };
    const expired = { ...change, after: { ...change.after, status: 'EXPIRED' } };
    expect(await publish([surplus, refunded, expired, { before: change.after }])).toEqual([]);
  });

  it('a payment whose event could not be published at first is counted once, in the line of its end', async () => {
    const { payment } = await paymentChange('succeeded');
    const job = {
      kind: 'payment',
      account: account.ref.id,
      session: payment.sessionId,
      payment: payment.id,
      status: 'SUCCEEDED',
      atMs,
    } as const;
    let isAway = true;
    const find: World['payments']['find'] = async (...ids) => {
      if (isAway) throw new Error('the table is away');
      return world.payments.find(...ids);
    };
    const needs = { ...world, payments: { find }, webhookDeliveriesQueue: startWaitingList(world) };
    const lines = await linesOf(async () => {
      await expect(publishCheckoutEvent(needs)(job)).rejects.toThrow('away');
      isAway = false;
      await publishCheckoutEvent(needs)(job);
    });
    expect(lines.filter(({ message }) => message === 'a payment has ended')).toHaveLength(1);
  });

  it.each([
    ['SUCCEEDED', 'refund.succeeded'],
    ['FAILED', 'refund.failed'],
  ] as const)('a refund that is %s has an event, an automatic one has none', async (status, event) => {
    const paid = await answeredPayment(world, account, { state: 'succeeded' });
    const id = newId(Date.now());
    const refund = newRefund(paid.payment, { id, amountMinor: 250_000, reason: undefined, nowMs: Date.now() });
    await world.refunds.add(paid, refund);
    const before = await world.table.get(itemKeys.refund(refund.sessionId, id));
    const after = { ...before, status };
    expect(await publish([{ after: before }, { before, after: { ...after, isAutomatic: true } }])).toEqual([]);
    const [job] = await publish([{ before, after }]);
    expect((await payloadOf(job as DeliveryJob)).payload).toEqual({
      event,
      merchantId: account.ref.id,
      data: { refundId: id, paymentId: paid.payment.id, amountMinor: 250_000, status },
    });
  });
});
