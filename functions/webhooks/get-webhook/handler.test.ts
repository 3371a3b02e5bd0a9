import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { getWebhookContract } from './contract.ts';
import { getWebhook } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount();
});
afterAll(() => world.close());

const get = (id: string) =>
  call(endpoint(getWebhookContract, getWebhook(world), world.webhookCallers()), { key: account.key, path: { id } });

describe('GET /webhooks/{id}', () => {
  it('200 answers the subscription without its secret', async () => {
    const { secret, ...webhook } = await calls.subscribe(account);
    const { status, body, text } = await get(webhook.id);
    expect([status, body.data]).toEqual([200, webhook]);
    expect(text).not.toContain(secret);
  });

  it('404 answers an unknown, a malformed and another account’s id alike, in the older shape', async () => {
    const foreign = await calls.subscribe(await world.newAccount());
    for (const id of [newId(Date.now()), 'x', foreign.id]) {
      const { status, body } = await get(id);
      expect(status).toBe(404);
      expect(body).toMatchObject({ statusCode: 404, error: 'webhook_not_found', message: 'No webhook has this id.' });
    }
  });
});
