import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listCheckoutWebhooksContract } from './contract.ts';
import { listCheckoutWebhooks } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (id: string) =>
  call(endpoint(listCheckoutWebhooksContract, listCheckoutWebhooks(world), keylessSurface), { path: { id } });

describe('GET /admin/v1/accounts/{id}/checkout-webhooks', () => {
  it('200 lists the account’s own, newest first, without secrets', async () => {
    const [account, stranger] = [await world.newAccount(), await world.newAccount()];
    const fields = { name: 'n', url: 'https://example.com/hooks', events: ['payment.failed'], isActive: true };
    for (const [n, { ref }] of [account, stranger, account].entries())
      await world.checkoutWebhooks.create(
        ref,
        newId(1_000 + n),
        { ...fields, name: `n${n}` },
        { secret: 'the-secret', most: 20 },
      );
    const { status, body, text } = await list(account.ref.id);
    expect([status, body.data.map(({ name }: { name: string }) => name)]).toEqual([200, ['n2', 'n0']]);
    expect(text).not.toContain('the-secret');
  });

  it('404 answers an unknown account', async () => {
    expect((await list('x')).body.error.code).toBe('account_not_found');
  });
});
