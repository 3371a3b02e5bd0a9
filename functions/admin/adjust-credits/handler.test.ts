import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostCredits } from '../../../shared/accounts/credits.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { adjustCreditsContract } from './contract.ts';
import { type AdjustCreditsNeeds, adjustCredits } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const adjust = (id: string, body: unknown, key?: string, needs: AdjustCreditsNeeds = world) =>
  call(endpoint(adjustCreditsContract, adjustCredits(needs), world.accountOperators()), {
    path: { id },
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

const adjustments = async (account: Parameters<World['credits']['ledger']>[0]) =>
  (await world.credits.ledger(account, { cursor: undefined, limit: 100 })).page.filter(
    ({ kind }) => kind === 'adjustment',
  );

describe('POST /admin/v1/accounts/{id}/credits/adjustments', () => {
  it('200 adds to some counters and subtracts from others, returns all three, and records operator and reason', async () => {
    const { ref } = await world.newAccount();
    const { status, body } = await adjust(ref.id, { email: 50, smsNonMasked: -100, reason: 'Invoice 1042' });
    expect([status, body.data]).toEqual([200, { email: 150, smsMasked: 100, smsNonMasked: 0 }]);
    expect(await world.accounts.credits(ref.id)).toEqual(body.data);
    expect(await adjustments(ref)).toMatchObject([
      { email: 50, smsMasked: 0, smsNonMasked: -100, who: 'operator', reason: 'Invoice 1042' },
    ]);
  });

  it('409 changes nothing when any counter would leave its range', async () => {
    const { ref } = await world.newAccount();
    for (const wrong of [{ email: -101 }, { email: 5, smsMasked: -101 }, { email: mostCredits }]) {
      const { status, body } = await adjust(ref.id, wrong);
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    }
    expect(await world.accounts.credits(ref.id)).toEqual({ email: 100, smsMasked: 100, smsNonMasked: 100 });
    expect(await adjustments(ref)).toEqual([]);
  });

  it('400 refuses a body without a counter, and numbers that are not whole', async () => {
    const { ref } = await world.newAccount();
    for (const wrong of [{}, { reason: 'none' }, { email: 1.5 }, { email: '1' }, { smsMasked: 1e300 }]) {
      const { status, body } = await adjust(ref.id, wrong);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    }
    const { message } = (await adjust(ref.id, {})).body.error;
    expect(message).toBe('email or smsMasked or smsNonMasked: at least one is required');
  });

  it('404 answers an unknown account', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense']) {
      expect((await adjust(id, { email: 1 })).body.error.code).toBe('account_not_found');
    }
  });

  it('200 repeats its answer for the same key, and changes the counters once', async () => {
    const { ref } = await world.newAccount();
    const first = await adjust(ref.id, { email: 1 }, 'order-1');
    await adjust(ref.id, { email: 10 });
    const again = await adjust(ref.id, { email: 1 }, 'order-1');
    expect([again.status, again.text, again.headers['Idempotent-Replay']]).toEqual([200, first.text, 'true']);
    expect((await world.accounts.credits(ref.id))?.email).toBe(111);
  });

  it('changes the counters once when a key is sent many times at once', async () => {
    const { ref } = await world.newAccount();
    const answers = await Promise.all(Array.from({ length: 8 }, () => adjust(ref.id, { email: 7 }, 'parallel')));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect((await adjust(ref.id, { email: 7 }, 'parallel')).body.data.email).toBe(107);
    expect((await world.accounts.credits(ref.id))?.email).toBe(107);
  });

  it('changes the counters once when the answer was lost after the change, and the key is repeated after its claim has ended', async () => {
    const { ref } = await world.newAccount();
    const cutOff = {
      accounts: world.accounts,
      credits: {
        adjust: async (...change: Parameters<World['credits']['adjust']>) => {
          await world.credits.adjust(...change);
          throw Object.assign(new Error('the function was cut off'), { name: 'TimeoutError' });
        },
      },
    };
    expect((await adjust(ref.id, { email: 3 }, 'lost', cutOff)).status).toBe(500);
    const later = endpoint(
      adjustCreditsContract,
      adjustCredits(world),
      world.accountOperators(),
      () => Date.now() + 31_000,
    );
    const again = await call(later, {
      path: { id: ref.id },
      body: { email: 3 },
      headers: { 'idempotency-key': 'lost' },
    });
    expect([again.status, again.body.data.email]).toEqual([200, 103]);
    expect(await adjustments(ref)).toHaveLength(1);
  });

  it('accepts a key that a caller of the account has used on another endpoint', async () => {
    const { ref } = await world.newAccount();
    const nowMs = Date.now();
    const ids = { newId: crypto.randomUUID(), endsMs: nowMs + 1 };
    await world.idempotencyKeys.claim(ref, { key: 'same', endpoint: 'POST /api/v1/messages', ...ids }, nowMs);
    expect((await adjust(ref.id, { email: 1 }, 'same')).status).toBe(200);
  });
});
