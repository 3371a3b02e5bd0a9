import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryJob, FanOutJob } from '../../../shared/webhooks/jobs.ts';
import { startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { beginDeliveries } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

/** The job of an event of a new account with two subscriptions. */
const eventJob = async (): Promise<FanOutJob> => {
  account = await world.newAccount();
  for (let n = 0; n < 2; n += 1) await calls.subscribe(account);
  const [job] = await calls.publish(account, 'message.sent', await calls.acceptedItem(account));
  return job ?? expect.fail('no job');
};

const begin = async (job: FanOutJob): Promise<DeliveryJob[]> => {
  const webhookDeliveriesQueue = startList<DeliveryJob>();
  await beginDeliveries({ ...world, webhookDeliveriesQueue })(job);
  return webhookDeliveriesQueue.jobs;
};

describe('beginning deliveries', () => {
  it('writes a delivery for each subscription of the job and queues its first attempt', async () => {
    const job = await eventJob();
    const jobs = await begin(job);
    expect(jobs.map(({ webhook }) => webhook).sort()).toEqual(job.listeners.map(({ id }) => id).sort());
    for (const { id } of job.listeners)
      expect((await calls.logs(account.key, id)).body.data).toMatchObject([{ event: 'message.sent', attempts: 0 }]);
  });

  it('queues unattempted deliveries again for a repeated job, and creates no others', async () => {
    const job = await eventJob();
    const [first, second] = await begin(job);
    const loaded = first && (await world.attempts.load(first));
    const attempt = { startedMs: Date.now(), statusCode: 500, responseTime: 1, responseBody: '' };
    if (loaded) await world.attempts.record(loaded, attempt, 5);
    expect(await begin(job)).toEqual([second]);
  });

  it('begins a cancelled delivery where the subscription was paused after the event', async () => {
    const job = await eventJob();
    const [first] = job.listeners;
    if (first) await world.webhooks.change(account.ref, first.id, { isActive: false }, Date.now());
    const jobs = await begin(job);
    const states = await Promise.all(jobs.map(async (each) => (await world.attempts.load(each))?.delivery.state));
    expect(states.sort()).toEqual(['cancelled', 'pending']);
  });
});
