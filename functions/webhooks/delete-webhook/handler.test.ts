import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import type { DeletionJob } from '../../../shared/webhooks/jobs.ts';
import { call } from '../../../test/call.ts';
import { startList, type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { deleteWebhookContract } from './contract.ts';
import { deleteWebhook } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
const deletedWebhooksQueue = startList<DeletionJob>();
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const remove = (id: string, queue = deletedWebhooksQueue) =>
  call(
    endpoint(deleteWebhookContract, deleteWebhook({ ...world, deletedWebhooksQueue: queue }), world.webhookCallers()),
    {
      key: account.key,
      path: { id },
    },
  );

describe('DELETE /webhooks/{id}', () => {
  it('204 deletes the subscription at once, and its logs when no request can be at work on it', async () => {
    const { id } = await calls.subscribe(account);
    await calls.begin(account);
    expect(await remove(id)).toMatchObject({ status: 204, text: '' });
    expect(await world.webhooks.find(account.ref, id)).toBeUndefined();
    expect((await calls.logs(account.key, id)).status).toBe(404);
    expect(deletedWebhooksQueue.jobs).toEqual([{ account: account.ref.id, webhook: id }]);
    expect(deletedWebhooksQueue.delays).toEqual([60]);
    expect((await remove(id)).status).toBe(404);
  });

  it('500 keeps the subscription when the deletion of its logs cannot be queued', async () => {
    const { id } = await calls.subscribe(account);
    const broken = { ...deletedWebhooksQueue, send: () => Promise.reject(new Error('the queue is away')) };
    const { status, body } = await remove(id, broken);
    expect(status).toBe(500);
    expect(body).toMatchObject({ statusCode: 500, error: 'internal_error' });
    expect(await world.webhooks.find(account.ref, id)).toBeDefined();
  });

  it('404 answers an unknown, a malformed and another account’s id, and deletes nothing', async () => {
    const other = await world.newAccount();
    const foreign = await calls.subscribe(other);
    for (const id of [newId(Date.now()), 'x', foreign.id]) {
      expect((await remove(id)).body).toMatchObject({ statusCode: 404, error: 'webhook_not_found' });
    }
    expect(await world.webhooks.find(other.ref, foreign.id)).toBeDefined();
  });
});
