import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { expectLimitOfMembers } from '../../../test/raised-limit.ts';
import { platformOperators, startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { createCheckoutKeyContract } from './contract.ts';
import { createCheckoutKey } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const create = (body: unknown, id = account.ref.id) =>
  call(endpoint(createCheckoutKeyContract, createCheckoutKey(world), platformOperators), { path: { id }, body });

const limits = {
  allowedOrigins: ['https://shop.example'],
  redirectHosts: ['shop.example'],
  maxAmountMinor: 500_000,
};

describe('POST /admin/v1/accounts/{id}/checkout-keys', () => {
  it.each([
    ['secret', true, 'sk_live_'],
    ['secret', false, 'sk_test_'],
    ['publishable', true, 'pk_live_'],
    ['publishable', false, 'pk_test_'],
  ] as const)('201 makes a key that works: %s, live %j', async (kind, livemode, beginning) => {
    const { status, body } = await create({ kind, livemode, name: ' shop ' });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(new RegExp(`^${beginning}[0-9a-f]{64}$`)),
      secret: body.data.key,
      prefix: body.data.key.slice(0, 12),
      kind,
      livemode,
      name: 'shop',
      rateLimitPerMinute: 1_000,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      revokedAt: null,
    });
    expect(await world.checkoutKeys.admit(body.data.key, Date.now())).toMatchObject({
      account: account.ref,
      kind,
      livemode,
      limits: {},
      count: 1,
      limit: 1_000,
    });
    expect(JSON.stringify(await world.scan())).not.toContain(body.data.key.slice(16));
  });

  it('201 binds a publishable key to origins, hosts and an amount', async () => {
    const { status, body } = await create({ kind: 'publishable', livemode: false, name: 'n', ...limits });
    expect([status, body.data]).toEqual([201, expect.objectContaining(limits)]);
    expect(await world.checkoutKeys.admit(body.data.key, Date.now())).toMatchObject({ limits });
  });

  it('400 refuses origins, hosts and amounts on a secret key', async () => {
    for (const [field, value] of Object.entries(limits)) {
      const { status, body } = await create({ kind: 'secret', livemode: false, name: 'n', [field]: value });
      expect([status, body.error]).toMatchObject([
        400,
        { code: 'invalid_request', message: `${field}: is allowed for publishable keys only` },
      ]);
    }
  });

  it.each([
    ['kind', undefined],
    ['kind', 'restricted'],
    ['livemode', undefined],
    ['livemode', 'true'],
    ['name', undefined],
    ['name', ' '],
    ['name', 'n'.repeat(101)],
    ['rateLimitPerMinute', 0],
    ['allowedOrigins', 'https://shop.example'],
    ['allowedOrigins', ['https://shop.example/pay']],
    ['redirectHosts', ['https://shop.example']],
    ['maxAmountMinor', -1],
  ])('400 refuses %s %j', async (field, value) => {
    const { status, body } = await create({ kind: 'publishable', livemode: false, name: 'n', [field]: value });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(body.error.message).toMatch(new RegExp(`^${field}(\\.0)?: `));
  });

  it('403 refuses a member more than 1,000 requests a minute; an operator sets any limit', () =>
    expectLimitOfMembers(world, (people, who, id, rateLimitPerMinute) =>
      people.call(createCheckoutKeyContract, createCheckoutKey(world), who, {
        path: { id },
        body: { kind: 'secret', livemode: false, name: 'n', rateLimitPerMinute },
      }),
    ));

  it('404 answers an unknown account', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'x']) {
      const { status, body } = await create({ kind: 'secret', livemode: false, name: 'n' }, id);
      expect([status, body.error.code]).toEqual([404, 'account_not_found']);
    }
  });
});
