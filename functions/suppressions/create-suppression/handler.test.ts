import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { deleteSuppressionContract } from '../delete-suppression/contract.ts';
import { deleteSuppression } from '../delete-suppression/handler.ts';
import { createSuppressionContract } from './contract.ts';
import { createSuppression } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const create = (body: unknown, key = account.key) =>
  call(endpoint(createSuppressionContract, createSuppression(world), world.callers('contacts:write')), { key, body });
const remove = (channel: string, address: string, key = account.key) =>
  call(endpoint(deleteSuppressionContract, deleteSuppression(world), world.callers('contacts:write')), {
    key,
    path: { channel, address },
  });
const listed = () => world.suppressions.list(account.ref, { limit: 100 });

describe('POST /suppressions', () => {
  it('201 lists an address once, regardless of its letter case, and a repetition gets the entry that is there', async () => {
    const { status, body } = await create({ channel: 'email', address: 'Ada@Example.com' });
    expect([status, body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        channel: 'email',
        address: 'Ada@Example.com',
        reason: 'manual',
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    const again = await create({ channel: 'email', address: 'ada@example.com', reason: 'complained' });
    expect([again.status, again.body.data]).toEqual([201, body.data]);
    expect(await listed()).toEqual([body.data]);
  });

  it('201 keeps channels apart, and stores a phone in E.164', async () => {
    const sms = await create({ channel: 'sms', address: '8801711111111', reason: 'unsubscribed' });
    const whatsapp = await create({ channel: 'whatsapp', address: '+8801711111111', reason: null });
    expect([sms.body.data, whatsapp.body.data]).toMatchObject([
      { address: '+8801711111111', reason: 'unsubscribed' },
      { address: '+8801711111111', reason: 'manual' },
    ]);
    expect((await remove('sms', '+8801711111111')).status).toBe(204);
    expect((await listed()).map(({ channel }) => channel)).toEqual(['whatsapp', 'email']);
  });

  it.each([
    [{}, 'channel'],
    [{ channel: 'fax', address: 'ada@example.com' }, 'channel'],
    [{ channel: 'email' }, 'address'],
    [{ channel: 'email', address: '+8801711111111' }, 'address'],
    [{ channel: 'sms', address: 'ada@example.com' }, 'address'],
    [{ channel: 'email', address: 'ada@example.com', reason: 'because' }, 'reason'],
    [{ channel: 'email', address: 7 }, 'address'],
  ])('400 refuses %j and changes nothing', async (body, field) => {
    const before = await listed();
    const { status, body: refusal } = await create(body);
    expect([status, refusal.error.code]).toEqual([400, 'invalid_request']);
    expect(refusal.error.message).toMatch(new RegExp(`(^|; )${field}: `));
    expect(await listed()).toEqual(before);
  });
});
