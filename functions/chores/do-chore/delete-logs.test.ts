import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../shared/kit/id.ts';
import type { DeletionJob } from '../../../shared/webhooks/jobs.ts';
import { startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { deleteLogs } from './delete-logs.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const rowsOf = async (webhook: string) =>
  (await world.scan()).filter(({ PK }) => String(PK).startsWith(`WH#${webhook}`));

describe('deleting logs', () => {
  it('leaves nothing of a deleted subscription, and all of the others', async () => {
    const [gone, kept] = [await calls.subscribe(account), await calls.subscribe(account)];
    for (let n = 0; n < 3; n += 1) await calls.begin(account);
    for (const { id } of [gone, kept])
      await world.paces.enter(
        { account: account.ref.id, webhook: id, url: 'https://example.com', deliveries: [newId(0)] },
        'fast',
        Date.now(),
      );
    await world.webhooks.remove(account.ref, gone.id);
    const deletedWebhooksQueue = startList<DeletionJob>();
    const work = deleteLogs({ ...world, deletedWebhooksQueue });
    await work({ account: account.ref.id, webhook: gone.id });
    await work({ account: account.ref.id, webhook: kept.id });
    await work({ account: newId(0), webhook: kept.id });
    expect([await rowsOf(gone.id), (await rowsOf(kept.id)).length]).toEqual([[], 4]);
    expect(deletedWebhooksQueue.jobs).toEqual([]);
  });

  it('goes on with another job where there is more than one can do', async () => {
    const removed: string[] = [];
    const parts = [true, true, false];
    const deliveries = {
      removeBatch: async (webhook: string) => {
        removed.push(webhook);
        return parts.shift() ?? false;
      },
    };
    const deletedWebhooksQueue = startList<DeletionJob>();
    const work = deleteLogs({ ...world, deliveries, deletedWebhooksQueue });
    const job = { account: account.ref.id, webhook: newId(Date.now()) };
    await work(job);
    for (const next of deletedWebhooksQueue.jobs) await work(next);
    expect(removed).toEqual([job.webhook, job.webhook, job.webhook]);
    expect(deletedWebhooksQueue.jobs).toEqual([job, job]);
  });
});
