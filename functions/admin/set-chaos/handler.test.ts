import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { call } from '../../../test/call.ts';
import { openSession } from '../../../test/checkout-fixture.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { setChaosContract } from './contract.ts';
import { setChaos } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const set = (id: string, chaos: unknown) =>
  call(endpoint(setChaosContract, setChaos(world), keylessSurface), { path: { id }, body: { chaos } });

const newSession = async (livemode: boolean) => {
  const session = openSession(account.ref.id, { livemode });
  await world.sessions.create(account.ref, session, { idempotencyKey: undefined, nowMs: Date.now() });
  return session.id;
};

describe('PUT /admin/v1/checkout-sessions/{id}/chaos', () => {
  it('200 sets the trouble, and ends it with null', async () => {
    const id = await newSession(false);
    expect((await set(id, 'late_success')).body.data).toEqual({ id, chaos: 'late_success' });
    expect((await world.sessions.find(id))?.session.chaos).toBe('late_success');
    expect((await set(id, null)).body.data).toEqual({ id, chaos: null });
    expect((await world.sessions.find(id))?.session.chaos).toBeUndefined();
  });

  it('400 refuses any other trouble', async () => {
    expect((await set(await newSession(false), 'earthquake')).body.error.code).toBe('invalid_request');
  });

  it('404 never touches a live session', async () => {
    const id = await newSession(true);
    expect((await set(id, 'late_success')).body.error.code).toBe('session_not_found');
    expect((await world.sessions.find(id))?.session.chaos).toBeUndefined();
    expect((await set('x', 'late_success')).status).toBe(404);
  });
});
