import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkoutAddresses } from '../../../shared/checkout/addresses.ts';
import { newId } from '../../../shared/kit/id.ts';
import { noticeJob } from '../../../shared/notices/notice-job.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { answeredPayment } from '../../../test/checkout-fixture.ts';
import { contextWith } from '../../../test/lambda-context.ts';
import { startWaitingList } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { giveNotice, groupOf } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const fields = { name: 'n', url: 'https://example.com/hooks', events: ['payment.succeeded'], isActive: true };
const paused = { ...fields, isActive: false };
const wishes = { secret: 's', most: 20 };

interface GiveNeeds {
  readonly checkoutWebhooks: Pick<World['checkoutWebhooks'], 'listeners'>;
  readonly webhookDeliveriesQueue: ReturnType<typeof startWaitingList>;
}

/** Gives the notices of a batch. Returns the numbers of those that failed, and the deliveries that were queued. */
const give = async (
  email: EmailProvider,
  bodies: readonly object[],
  { checkoutWebhooks, webhookDeliveriesQueue }: GiveNeeds = {
    ...world,
    webhookDeliveriesQueue: startWaitingList(world),
  },
) => {
  const needs = {
    ...world,
    checkoutWebhooks,
    webhookDeliveriesQueue,
    email,
    baseUrl: 'https://api.example.com',
    platformAddress: 'no-reply@platform.example',
    addresses: checkoutAddresses('https://pay.example'),
    waits: [],
    clock: Date.now,
  };
  const worker = groupWorker(noticeJob, groupOf, giveNotice(needs));
  const Records = bodies.map((body, n) => ({ messageId: String(n), body: JSON.stringify(body) }));
  const { batchItemFailures } = await worker({ Records } as unknown as SQSEvent, contextWith());
  return {
    failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    deliveries: webhookDeliveriesQueue.jobs,
  };
};

it('a notice that cannot be given holds up no other of the batch', async () => {
  const account = await world.newAccount({ settings: { adminEmails: ['ops@example.com'] } });
  await world.checkoutWebhooks.create(account.ref, newId(Date.now()), fields, wishes);
  const { id: webhook } = await world.webhooks.create(account.ref, newId(Date.now()), paused, wishes);
  const { payment } = await answeredPayment(world, account, { state: 'succeeded' });
  const notice = { account: account.ref.id, atMs: 1_795_176_000_000 };
  const ids = { session: payment.sessionId, payment: payment.id };
  const { failed, deliveries } = await give({ send: async () => ({ kind: 'unavailable' }) }, [
    { ...notice, kind: 'pause', webhook },
    { ...notice, kind: 'receipt', ...ids },
    { ...notice, kind: 'payment', ...ids, status: 'SUCCEEDED' },
    { ...notice, kind: 'nothing' },
  ]);
  expect(failed).toEqual(['0', '3']);
  expect(deliveries).toHaveLength(1);
});

it('an event whose account is busy holds up no event of another account', async () => {
  const noticeOf = async (account: TestAccount) => {
    const { ref } = account;
    await world.checkoutWebhooks.create(ref, newId(Date.now()), fields, wishes);
    const { payment } = await answeredPayment(world, account, { state: 'succeeded' });
    const ids = { account: ref.id, session: payment.sessionId, payment: payment.id };
    return { ...ids, kind: 'payment', status: 'SUCCEEDED', atMs: 1_795_176_000_000 };
  };
  const [busy, other] = [await noticeOf(await world.newAccount()), await noticeOf(await world.newAccount())];
  const list = startWaitingList(world);
  const isGiven = Promise.withResolvers<void>();
  const send: typeof list.send = async (jobs) => {
    await list.send(jobs);
    if (jobs.some(({ account }) => account === other.account)) isGiven.resolve();
  };
  const listeners: World['checkoutWebhooks']['listeners'] = async (account) => {
    if (account === busy.account) await isGiven.promise;
    return world.checkoutWebhooks.listeners(account);
  };
  const needs = { checkoutWebhooks: { listeners }, webhookDeliveriesQueue: { ...list, send } };
  const { failed, deliveries } = await give({ send: async () => ({ kind: 'unavailable' }) }, [busy, other], needs);
  expect([failed, deliveries.map(({ account }) => account)]).toEqual([[], [other.account, busy.account]]);
});

it('mails of a batch wait for their turn at the provider at the same time', async () => {
  const account = await world.newAccount({ settings: { adminEmails: ['ops@example.com'] } });
  const { id: webhook } = await world.webhooks.create(account.ref, newId(Date.now()), paused, wishes);
  const pause = { kind: 'pause', account: account.ref.id, webhook, atMs: 1_795_176_000_000 };
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  const email: EmailProvider = {
    send: async () => {
      waiting += 1;
      if (waiting === 3) all.resolve();
      await all.promise;
      return { kind: 'accepted', reference: 'r' };
    },
  };
  expect((await give(email, [pause, pause, pause])).failed).toEqual([]);
});
