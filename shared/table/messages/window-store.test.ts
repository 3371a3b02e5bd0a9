import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelRuns } from '../../../test/model-runs.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { dayMs } from '../../kit/time-units.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const startMs = Date.parse('2026-11-20T12:00:00Z');
let phones = 0;
const someone = () => `+88017${String(++phones).padStart(8, '0')}`;

const openUntil = async (phone: string, of = account) =>
  (await world.sends.read(of.ref, { channel: 'whatsapp', contact: { phone } })).windowOpenUntilMs;

describe('whatsapp windows', () => {
  it('are open for 24 hours after what was written last', async () => {
    const phone = someone();
    expect(await openUntil(phone)).toBeUndefined();
    await world.windows.open(account.ref, phone, startMs);
    expect(await openUntil(phone)).toBe(startMs + dayMs);
    await world.windows.open(account.ref, phone, startMs + 1);
    expect(await openUntil(phone)).toBe(startMs + 1 + dayMs);
  });

  it('belong to one phone of one account', async () => {
    const phone = someone();
    await world.windows.open(account.ref, phone, startMs);
    expect(await openUntil(phone, await world.newAccount())).toBeUndefined();
    expect(await openUntil(someone())).toBeUndefined();
  });

  it('follow the latest message in any order of arrival; at the same time, a closing wins', async () => {
    const saying = fc.record({ kind: fc.constantFrom('open' as const, 'close' as const), second: fc.nat({ max: 5 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(saying, { minLength: 1, maxLength: 8 }), async (sayings) => {
        const phone = someone();
        for (const { kind, second } of sayings) await world.windows[kind](account.ref, phone, startMs + second * 1_000);
        const lastSecond = Math.max(...sayings.map(({ second }) => second));
        const isClosed = sayings.some(({ kind, second }) => kind === 'close' && second === lastSecond);
        expect(await openUntil(phone)).toBe(startMs + lastSecond * 1_000 + (isClosed ? 0 : dayMs));
      }),
      { numRuns: modelRuns(15) },
    );
  });

  it('are forgotten by the table once they have ended', async () => {
    const phone = someone();
    await world.windows.open(account.ref, phone, startMs);
    const items = await world.scan();
    const item = items.find((each) => each['openUntilMs'] === startMs + dayMs);
    expect(item?.['expiresAt']).toBe((startMs + dayMs) / 1_000);
  });
});
