import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listWebhooksContract } from './contract.ts';
import { listWebhooks } from './handler.ts';

let world: World;
let calls: WebhookCalls;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
});
afterAll(() => world.close());

const list = (key: string) =>
  call(endpoint(listWebhooksContract, listWebhooks(world), world.webhookCallers()), { key });

describe('GET /webhooks', () => {
  it('200 answers all subscriptions of the account, newest first, without secrets', async () => {
    const [account, other] = [await world.newAccount(), await world.newAccount()];
    await calls.subscribe(other);
    const ids = [];
    for (const name of ['one', 'two', 'three']) {
      ids.unshift((await calls.subscribe(account, { name, isActive: name !== 'two' })).id);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const { status, body, text } = await list(account.key);
    expect([status, Object.keys(body)]).toEqual([200, ['data']]);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['three', 'two', 'one']);
    expect(text).not.toContain('"secret"');
  });

  it('200 answers an empty list where there is none', async () => {
    const { key } = await world.newAccount();
    expect((await list(key)).body).toEqual({ data: [] });
  });
});
