import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { type Answer, newDelivery } from '../../../shared/webhooks/delivery.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { call } from '../../../test/call.ts';
import { startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { resendDeliveryContract } from './contract.ts';
import { resendDelivery } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
const queue = startList<DeliveryJob>();
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

const resend = (id: string, webhookId: string, deliveryId: string) =>
  call(endpoint(resendDeliveryContract, resendDelivery({ ...world, webhookDeliveriesQueue: queue }), keylessSurface), {
    path: { id, webhookId, deliveryId },
  });

/** A delivery of a new account with these attempts made. */
const delivery = async (...statusCodes: readonly number[]) => {
  account = await world.newAccount();
  const { id } = await calls.subscribe(account);
  const [job] = await calls.begin(account);
  if (!job) throw new Error('nothing was begun');
  await make(job, ...statusCodes);
  queue.jobs.length = 0;
  return { id, job, webhook: () => world.webhooks.find(account.ref, id) };
};

const make = async (job: DeliveryJob, ...statusCodes: readonly number[]) => {
  for (const statusCode of statusCodes) await makeOne(job, { statusCode });
};

const makeOne = (job: DeliveryJob, answer: Partial<Answer>) => calls.record(job, answer);
const fiveFailures = [500, 500, 500, 500, 500];

const found = async (id: string) => (await world.webhooks.find(account.ref, id)) ?? expect.fail('no such webhook');

/** About what DynamoDB counts of an item: its texts and bytes. */
const sizeOf = (value: unknown): number => {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return String(value).length;
  return Object.entries(value).reduce((sum, [name, part]) => sum + name.length + sizeOf(part), 0);
};

describe('POST …/deliveries/{deliveryId}/resend', () => {
  it('202 begins a fresh round of five attempts with the same event', async () => {
    const { id, job, webhook } = await delivery(...fiveFailures);
    const before = (await calls.logs(account.key, id)).body.data[0];
    const { status, body } = await resend(account.ref.id, id, job.delivery);
    expect([status, body.data]).toEqual([202, { id: job.delivery, attempt: 6 }]);
    expect(queue.jobs).toEqual([{ ...job, attempt: 6, earlierAttempts: 5 }]);
    expect(await webhook()).toMatchObject({ totalSent: 0, totalFailed: 1 });
    await make(job, 500, 500, 500, 500);
    expect((await calls.logs(account.key, id)).body.data).toMatchObject([{ attempts: 9 }]);
    await make(job, 200, 200);
    const [row] = (await calls.logs(account.key, id)).body.data;
    expect(row).toMatchObject({ attempts: 10, success: true, payload: before.payload });
    expect(await webhook()).toMatchObject({ totalSent: 1, totalFailed: 0 });
  });

  it('202 fails a second time without counting twice', async () => {
    const { id, job, webhook } = await delivery(...fiveFailures);
    await resend(account.ref.id, id, job.delivery);
    await make(job, ...fiveFailures, 500);
    expect(await webhook()).toMatchObject({ totalSent: 0, totalFailed: 1 });
    expect((await calls.logs(account.key, id)).body.data).toMatchObject([{ attempts: 10 }]);
  });

  it('202 sends a delivered event once more, and counts it once', async () => {
    const { id, job, webhook } = await delivery(200);
    expect((await resend(account.ref.id, id, job.delivery)).body.data.attempt).toBe(2);
    await make(job, 200);
    expect(await webhook()).toMatchObject({ totalSent: 1, totalFailed: 0 });
  });

  it('202 begins a fresh round of a delivery that is under way, whose last attempt is yet to come', async () => {
    const { id, job, webhook } = await delivery(500, 500, 500, 500);
    expect((await resend(account.ref.id, id, job.delivery)).body.data.attempt).toBe(5);
    await make(job, 500, 500, 500, 500);
    expect(await webhook()).toMatchObject({ totalSent: 0, totalFailed: 0 });
    await make(job, 500, 500);
    expect((await calls.logs(account.key, id)).body.data).toMatchObject([{ attempts: 9 }]);
    expect(await webhook()).toMatchObject({ totalSent: 0, totalFailed: 1 });
  });

  it('202 queues the first attempt of a round again, in case it was lost', async () => {
    const { id, job } = await delivery(500);
    for (let n = 0; n < 2; n += 1) await resend(account.ref.id, id, job.delivery);
    const again = { ...job, attempt: 2, earlierAttempts: 1 };
    expect(queue.jobs).toEqual([again, again]);
  });

  it('202 once for two operators at once', async () => {
    const { id, job } = await delivery(...fiveFailures);
    const answers = await Promise.all([
      resend(account.ref.id, id, job.delivery),
      resend(account.ref.id, id, job.delivery),
    ]);
    for (const { status, body } of answers) expect([status, body.data.attempt]).toEqual([202, 6]);
    await make(job, ...fiveFailures, 500);
    expect((await calls.logs(account.key, id)).body.data).toMatchObject([{ attempts: 10 }]);
  });

  it('202 twelve times: the row stays small, keeps the first attempt and the last nine, and every outcome is recorded', async () => {
    const { id, job, webhook } = await delivery(...fiveFailures);
    const longest = '語'.repeat(2_000);
    for (let n = 0; n < 12; n += 1) {
      expect((await resend(account.ref.id, id, job.delivery)).body.data.attempt).toBe(6 + n);
      const answer = { statusCode: n % 2 === 0 ? 200 : 500, responseTime: n, responseBody: longest };
      expect(await makeOne(job, answer)).toBeDefined();
      expect((await calls.logs(account.key, id)).body.data).toMatchObject([
        { attempts: 6 + n, statusCode: answer.statusCode, responseTime: n, responseBody: longest },
      ]);
    }
    const item = (await world.table.get(itemKeys.delivery(id, job.delivery))) ?? {};
    expect(sizeOf(item)).toBeLessThan(70_000);
    const [kept] = await world.deliveries.list(
      account.ref,
      await found(id),
      { cursor: undefined, limit: 1 },
      Date.now(),
    );
    expect(kept?.attemptsMade).toBe(17);
    expect(kept?.attempts.map(({ number }) => number)).toEqual([1, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
    expect(await webhook()).toMatchObject({ totalSent: 1, totalFailed: 0 });
  });

  it('202 for a delivery with the largest payload, however often: each outcome is recorded, and the payload is kept once', async () => {
    account = await world.newAccount();
    const [one, other] = [await calls.subscribe(account), await calls.subscribe(account)];
    const metadata = { k: 'x'.repeat(250_000 - 8) };
    const jobs = await calls.begin(account, { metadata });
    const answer = { statusCode: 200, responseBody: '語'.repeat(2_000) };
    for (const job of jobs)
      for (let n = 0; n < 5; n += 1) {
        expect(await makeOne(job, answer)).toBe('succeeded');
        await resend(account.ref.id, job.webhook, job.delivery);
      }
    const items = (await world.scan()).filter((item) => item['account'] === account.ref.id);
    const large = items.filter((item) => sizeOf(item) > 250_000).map(({ entity }) => entity);
    expect(large.sort()).toEqual(['event', 'message-body']);
    for (const { id } of [one, other]) {
      const [row] = (await calls.logs(account.key, id)).body.data;
      expect([row.attempts, row.payload.data.message.metadata]).toEqual([5, metadata]);
    }
  });

  it('202 sends a cancelled delivery again once the subscription is resumed, and counts what comes of it', async () => {
    const { id, job, webhook } = await delivery(500);
    for (const isActive of [false, true]) await world.webhooks.change(account.ref, id, { isActive }, Date.now());
    expect((await resend(account.ref.id, id, job.delivery)).body.data).toEqual({ id: job.delivery, attempt: 2 });
    await make(job, 500);
    expect(await webhook()).toMatchObject({ totalSent: 0, totalFailed: 0 });
    await make(job, 200);
    expect(await webhook()).toMatchObject({ totalSent: 1, totalFailed: 0 });
  });

  it('400 refuses while the subscription is paused', async () => {
    const { id, job } = await delivery(...fiveFailures);
    await world.webhooks.change(account.ref, id, { isActive: false }, Date.now());
    const { status, body } = await resend(account.ref.id, id, job.delivery);
    expect([status, body.error.code, queue.jobs]).toEqual([400, 'invalid_request', []]);
  });

  it('404 for one that is older than 30 days, though the table may keep it for a while', async () => {
    account = await world.newAccount();
    const { id } = await calls.subscribe(account);
    const [job] = await calls.begin(account, { atMs: Date.now() - 31 * 86_400_000 });
    if (!job) throw new Error('nothing was begun');
    await make(job, ...fiveFailures);
    expect((await resend(account.ref.id, id, job.delivery)).body.error.code).toBe('delivery_not_found');
  });

  it('404 answers an unknown account, webhook and delivery, another webhook’s delivery, and a test', async () => {
    const { id, job } = await delivery(500);
    const target = await world.webhooks.target(account.ref, id);
    const test = newDelivery({ id: newId(Date.now()), webhookId: id, event: 'webhook.test', payload: '{}' });
    if (target)
      await world.attempts.addEnded(target, test, { startedMs: 0, statusCode: 500, responseTime: 1, responseBody: '' });
    const { id: other } = await calls.subscribe(account);
    const cases = [
      [newId(0), id, job.delivery, 'account_not_found'],
      [account.ref.id, newId(0), job.delivery, 'webhook_not_found'],
      [account.ref.id, id, newId(0), 'delivery_not_found'],
      [account.ref.id, id, 'x', 'delivery_not_found'],
      [account.ref.id, other, job.delivery, 'delivery_not_found'],
      [account.ref.id, id, test.id, 'delivery_not_found'],
    ] as const;
    for (const [accountId, webhookId, deliveryId, code] of cases) {
      expect((await resend(accountId, webhookId, deliveryId)).body.error.code).toBe(code);
    }
    expect(queue.jobs).toEqual([]);
  });
});
