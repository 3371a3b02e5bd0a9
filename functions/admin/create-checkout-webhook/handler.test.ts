import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { createCheckoutWebhookContract } from './contract.ts';
import { createCheckoutWebhook } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const create = (body: unknown, id = account.ref.id, allowsHttp = false) =>
  call(endpoint(createCheckoutWebhookContract, createCheckoutWebhook({ ...world, allowsHttp }), keylessSurface), {
    path: { id },
    body,
  });

const right = { url: 'https://example.com/hooks', events: ['payment.succeeded'] };

describe('POST /admin/v1/accounts/{id}/checkout-webhooks', () => {
  it('201 answers the subscription, and its secret this once', async () => {
    const { status, body } = await create(right);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ ...right, isActive: true, secret: expect.stringMatching(/^[0-9a-f]{48}$/) });
    const kept = await world.checkoutWebhooks.find(account.ref, body.data.id);
    expect(kept).toMatchObject({ url: right.url, events: right.events });
  });

  it('201 subscribes to the events of payments and refunds when none are named', async () => {
    const { body } = await create({ url: right.url });
    expect(body.data.events).toEqual(['payment.succeeded', 'payment.failed', 'refund.succeeded', 'refund.failed']);
  });

  it('201 accepts http when local targets are allowed, as on the local stack', async () => {
    expect((await create({ url: 'http://localhost:4000' }, account.ref.id, true)).status).toBe(201);
  });

  it('is not seen by the messaging API, nor the other way round', async () => {
    const { id } = (await create(right)).body.data;
    expect(await world.webhooks.find(account.ref, id)).toBeUndefined();
    expect((await world.webhooks.list(account.ref)).map((webhook) => webhook.id)).not.toContain(id);
    expect((await world.webhooks.listeners(account.ref.id)).map((listener) => listener.id)).not.toContain(id);
    expect(await world.webhooks.change(account.ref, id, { isActive: false }, Date.now())).toBeUndefined();
    const fields = { name: 'n', url: right.url, events: ['message.sent'], isActive: true };
    const other = await world.webhooks.create(account.ref, (await create(right)).body.data.id, fields, {
      secret: 's',
      most: 20,
    });
    expect(await world.checkoutWebhooks.find(account.ref, other.id)).toBeUndefined();
  });

  it('400 names the invalid fields, and creates nothing', async () => {
    const before = (await world.checkoutWebhooks.list(account.ref)).length;
    for (const [field, value] of [
      ['url', 'ftp://example.com'],
      ['url', 'nowhere'],
      ['url', undefined],
      ['url', 'http://example.com/hooks'],
      ['events', ['payment.succeeded', 'payment.completed']],
      ['events', ['message.sent']],
      ['events', []],
      ['events', 'payment.succeeded'],
    ] as const) {
      const { status, body } = await create({ ...right, [field]: value });
      expect([status, body.error.message.split(/[:.]/)[0]]).toEqual([400, field]);
    }
    expect(await world.checkoutWebhooks.list(account.ref)).toHaveLength(before);
  });

  it('400 refuses the 21st subscription of an account, whose messaging subscriptions are counted apart', async () => {
    const { ref } = await world.newAccount();
    const fields = { name: 'n', url: right.url, events: [], isActive: true };
    await world.webhooks.create(ref, newId(Date.now()), fields, { secret: 's', most: 20 });
    const statuses = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await create(right, ref.id)).status);
    expect(statuses).toEqual([...Array(20).fill(201), 400]);
  });

  it('404 answers an unknown account', async () => {
    expect((await create(right, '01932f6e-8c00-7000-8000-000000000000')).body.error.code).toBe('account_not_found');
  });
});
