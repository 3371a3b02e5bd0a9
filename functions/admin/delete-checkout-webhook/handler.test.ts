import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import type { DeletionJob } from '../../../shared/webhooks/jobs.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { deleteCheckoutWebhookContract } from './contract.ts';
import { deleteCheckoutWebhook } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const fields = { name: 'n', url: 'https://example.com/hooks', events: ['payment.failed'], isActive: true };

const remove = async (webhookId: string) => {
  const jobs: DeletionJob[] = [];
  const deletedWebhooksQueue = { send: async (sent: readonly DeletionJob[]) => void jobs.push(...sent) };
  const handler = endpoint(
    deleteCheckoutWebhookContract,
    deleteCheckoutWebhook({ ...world, deletedWebhooksQueue }),
    keylessSurface,
  );
  return { ...(await call(handler, { path: { id: account.ref.id, webhookId } })), jobs };
};

describe('DELETE /admin/v1/accounts/{id}/checkout-webhooks/{webhookId}', () => {
  it('204 deletes the subscription, and has its deliveries deleted', async () => {
    const { id } = await world.checkoutWebhooks.create(account.ref, newId(Date.now()), fields, {
      secret: 's',
      most: 20,
    });
    const { status, jobs } = await remove(id);
    expect([status, jobs]).toEqual([204, [{ account: account.ref.id, webhook: id }]]);
    expect(await world.checkoutWebhooks.find(account.ref, id)).toBeUndefined();
  });

  it('404 leaves a messaging subscription and another account’s alone', async () => {
    const stranger = await world.newAccount();
    const foreign = await world.checkoutWebhooks.create(stranger.ref, newId(Date.now()), fields, {
      secret: 's',
      most: 20,
    });
    const messaging = await world.webhooks.create(account.ref, newId(Date.now()), fields, { secret: 's', most: 20 });
    for (const id of [foreign.id, messaging.id, 'x']) {
      const { status, body, jobs } = await remove(id);
      expect([status, body.error.code, jobs]).toEqual([404, 'webhook_not_found', []]);
    }
    expect(await world.checkoutWebhooks.find(stranger.ref, foreign.id)).toBeDefined();
    expect(await world.webhooks.find(account.ref, messaging.id)).toBeDefined();
  });
});
