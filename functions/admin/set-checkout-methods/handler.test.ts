import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { setCheckoutMethodsContract } from './contract.ts';
import { setCheckoutMethods } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const set = (id: string, body: unknown) =>
  call(endpoint(setCheckoutMethodsContract, setCheckoutMethods(world), keylessSurface), { path: { id }, body });

const card = { gatewayCode: 'sim_card', displayLabel: 'Card', livemode: false, enabled: true, sortOrder: 2 };
const cards = { gatewayCode: 'sslcommerz', displayLabel: 'Cards', livemode: true, enabled: true, sortOrder: 1 };
const credentials = { storeId: 'sesame', storePassword: 'sesame' };

describe('PUT /admin/v1/accounts/{id}/checkout-methods', () => {
  it('200 replaces the list; an existing method keeps its id and its credentials, which are not returned', async () => {
    const { ref } = await world.newAccount();
    const first = await set(ref.id, [card, { ...cards, credentials }]);
    expect([first.status, first.body.data]).toEqual([
      200,
      [
        { ...cards, acceptanceMethodId: expect.any(String), hasCredentials: true },
        { ...card, acceptanceMethodId: expect.any(String), hasCredentials: false },
      ],
    ]);
    expect(first.text).not.toContain('sesame');
    const [{ acceptanceMethodId: id }] = first.body.data;
    const second = await set(ref.id, [{ ...first.body.data[0], enabled: false }]);
    expect(second.body.data).toEqual([{ ...first.body.data[0], enabled: false }]);
    expect(await world.methods.list(ref)).toMatchObject([{ id, credentials, enabled: false }]);
    expect((await set(ref.id, [])).body.data).toEqual([]);
  });

  it('200 accepts a gateway’s sandbox for test keys', async () => {
    const { ref } = await world.newAccount();
    expect((await set(ref.id, [{ ...cards, livemode: false, credentials }])).status).toBe(200);
  });

  it.each([
    ['0.gatewayCode', [{ ...card, gatewayCode: 'paypal' }]],
    ['0.gatewayCode', [{ ...card, gatewayCode: undefined }]],
    ['0.gatewayCode', [{ ...card, gatewayCode: 1 }]],
    ['1.displayLabel', [card, { ...card, enabled: false }]],
    ['0.displayLabel', [{ ...card, displayLabel: ' ' }]],
    ['0.livemode', [{ ...card, livemode: true }]],
    ['0.livemode', [{ ...card, livemode: undefined }]],
    ['0.enabled', [{ ...card, enabled: 'yes' }]],
    ['0.sortOrder', [{ ...card, sortOrder: 1.5 }]],
    ['0.credentials.storeId', [cards]],
    ['0.credentials.storePassword', [{ ...cards, credentials: { storeId: 'sesame' } }]],
    ['0.credentials.storeId', [{ ...cards, credentials: { ...credentials, storeId: '' } }]],
    ['0.credentials', [{ ...cards, credentials: 'sesame' }]],
    ['1', [card, null]],
    ['body', { methods: [card] }],
    ['body', Array.from({ length: 51 }, (_, n) => ({ ...card, displayLabel: `${n}` }))],
    ['body', '['],
  ])('400 refuses by the name of %s, and changes nothing: %j', async (field, body) => {
    const { ref } = await world.newAccount();
    const answer = await set(ref.id, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message.split(': ')[0]).toBe(field);
    expect(answer.text).not.toContain('sesame');
    expect(await world.methods.list(ref)).toEqual([]);
  });

  it('404 answers an unknown account', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'x']) {
      const { status, body } = await set(id, []);
      expect([status, body.error.code]).toEqual([404, 'account_not_found']);
    }
  });
});
