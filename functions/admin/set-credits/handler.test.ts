import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostCredits } from '../../../shared/accounts/credits.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { newId } from '../../../shared/kit/id.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { call } from '../../../test/call.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { setCreditsContract } from './contract.ts';
import { setCredits } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const set = (id: string, body: unknown) =>
  call(endpoint(setCreditsContract, setCredits(world), world.accountOperators()), { path: { id }, body });

describe('PUT /admin/v1/accounts/{id}/credits', () => {
  it('200 sets the three counters', async () => {
    const { ref } = await world.newAccount();
    const credits = { email: 0, smsMasked: 5, smsNonMasked: 1_000_000 };
    expect((await set(ref.id, credits)).body).toEqual({ data: credits });
    expect(await world.accounts.credits(ref.id)).toEqual(credits);
  });

  it('400 refuses anything but three whole numbers that are not negative', async () => {
    const { ref } = await world.newAccount();
    for (const wrong of [{ email: -1 }, { email: 1.5 }, { email: '1' }, { email: undefined }, { email: 1e300 }]) {
      const { status, body } = await set(ref.id, { smsMasked: 1, smsNonMasked: 1, ...wrong });
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await world.accounts.credits(ref.id))?.email).toBe(100);
  });

  it('200 also after the maximum was set and a message that was paid before is given back', async () => {
    const { ref } = await world.newAccount();
    const message = newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now()));
    await acceptEmail(world, ref, message);
    await set(ref.id, { email: mostCredits, smsMasked: 0, smsNonMasked: 0 });
    await world.messages.fail(ref, message, 'sendFailed', { code: 'refused', reason: 'unknown' }, Date.now());
    expect(await world.accounts.credits(ref.id)).toMatchObject({ email: mostCredits });
    expect((await set(ref.id, { email: 5, smsMasked: 0, smsNonMasked: 0 })).status).toBe(200);
    expect(await world.accounts.credits(ref.id)).toMatchObject({ email: 5 });
  });

  it('404 answers an unknown id and creates nothing', async () => {
    const id = '01932f6e-8c00-7000-8000-000000000000';
    expect((await set(id, { email: 1, smsMasked: 1, smsNonMasked: 1 })).body.error.code).toBe('account_not_found');
    expect(await world.accounts.credits(id)).toBeUndefined();
  });

  it('200 records the change and the operator in the ledger', async () => {
    const { ref } = await world.newAccount({ credits: { email: 70 } });
    await set(ref.id, { email: 50, smsMasked: 100, smsNonMasked: 250 });
    const [entry] = (await world.credits.ledger(ref, { cursor: undefined, limit: 1 })).page;
    expect(entry).toMatchObject({ kind: 'set', email: -20, smsMasked: 0, smsNonMasked: 150, who: 'operator' });
  });

  it('applies one of two concurrent changes last, and records both in the ledger', async () => {
    const { ref } = await world.newAccount();
    const values = [1_000, 2_000, 3_000].map((email) => ({ email, smsMasked: 1, smsNonMasked: 1 }));
    const answers = await Promise.all(values.map((each) => set(ref.id, each)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const credits = await world.accounts.credits(ref.id);
    expect(values).toContainEqual(credits);
    const { page: entries } = await world.credits.ledger(ref, { cursor: undefined, limit: 10 });
    expect(entries.reduce((sum, { email }) => sum + email, 0)).toBe(credits?.email);
  });
});
