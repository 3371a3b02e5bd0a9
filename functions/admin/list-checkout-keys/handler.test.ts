import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { exampleId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listCheckoutKeysContract } from './contract.ts';
import { listCheckoutKeys } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const list = (id: string, query?: Readonly<Record<string, string>>) =>
  call(endpoint(listCheckoutKeysContract, listCheckoutKeys(world), keylessSurface), {
    path: { id },
    ...(query && { query }),
  });

describe('GET /admin/v1/accounts/{id}/checkout-keys', () => {
  it('200 lists the account’s checkout keys, newest first, without the keys themselves, and no others', async () => {
    const { ref } = await world.newAccount();
    await world.newCheckoutKey((await world.newAccount()).ref);
    const secret = await world.newCheckoutKey(ref, { livemode: true });
    const madeMs = Date.now();
    await expect.poll(() => Date.now()).toBeGreaterThan(madeMs);
    const shop = await world.newCheckoutKey(ref, { kind: 'publishable', maxAmountMinor: 500 });
    const { status, body, text } = await list(ref.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { kind: 'publishable', livemode: false, prefix: shop.slice(0, 12), maxAmountMinor: 500, revokedAt: null },
      { kind: 'secret', livemode: true, prefix: secret.slice(0, 12), revokedAt: null },
    ]);
    for (const key of [secret, shop]) expect(text).not.toContain(key.slice(16));
  });

  it('200 ends a page early whose limits are too much for one answer, and goes on after it', async () => {
    const { ref } = await world.newAccount();
    const allowedOrigins = Array.from({ length: 20 }, (_, n) => `https://${`${n}`.padEnd(63, 'x')}.${'x'.repeat(220)}`);
    for (let n = 0; n < 500; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, () => world.newCheckoutKey(ref, { kind: 'publishable', allowedOrigins })),
      );
    const first = await list(ref.id);
    const { cursor, hasMore } = first.body.pagination;
    const rest = await list(ref.id, { cursor });
    expect([first.status, hasMore, rest.body.pagination]).toEqual([200, true, { cursor: null, hasMore: false }]);
    const ids = [...first.body.data, ...rest.body.data].map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([500, 500]);
  });

  it.each([{ limit: '1001' }, { cursor: 'x' }])('400 refuses %j', async (query) => {
    expect((await list(exampleId, query)).body.error.code).toBe('invalid_request');
  });

  it('404 answers an unknown account', async () => {
    expect((await list('01932f6e-8c00-7000-8000-000000000000')).body.error.code).toBe('account_not_found');
  });
});
