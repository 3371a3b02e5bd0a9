import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changed } from '../../../shared/accounts/account.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { keylessSurface } from '../../../shared/http/keyless-surface.ts';
import { newId } from '../../../shared/kit/id.ts';
import { call } from '../../../test/call.ts';
import { refusedOverlaps } from '../../../test/refused-overlaps.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { listCallbackUrlsContract } from '../list-callback-urls/contract.ts';
import { listCallbackUrls } from '../list-callback-urls/handler.ts';
import { rotateCallbackUrlsContract } from './contract.ts';
import { rotateCallbackUrls } from './handler.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const rotate = (id: string, body: unknown = { overlapSeconds: 3_600 }) =>
  call(endpoint(rotateCallbackUrlsContract, rotateCallbackUrls(world), keylessSurface), { path: { id }, body });

const urlsOf = async (id: string) =>
  (await call(endpoint(listCallbackUrlsContract, listCallbackUrls(world), keylessSurface), { path: { id } })).body.data;

/** Whether callbacks to these URLs are accepted at this time, from what is stored. */
const acceptedAt = async (id: string, urls: readonly string[], nowMs = Date.now()) => {
  const account = await world.accounts.find(id);
  if (!account) throw new Error('the account is gone');
  const tokens = urls.map((url) => url.split('/').at(-1) ?? '');
  return Promise.all(tokens.map((token) => world.inboundTokens.isGenuine(account, token, nowMs)));
};

describe('POST /admin/v1/accounts/{id}/callback-urls/rotate', () => {
  it('200 answers a new URL, which is listed from then on, and the first one is accepted until the time in the answer', async () => {
    const { ref } = await world.newAccount();
    const first = await urlsOf(ref.id);
    const startMs = Date.now();
    const { status, body } = await rotate(ref.id);
    expect([status, body.data]).toEqual([
      200,
      { smsInbound: expect.any(String), previousValidUntil: expect.any(String) },
    ]);
    const untilMs = Date.parse(body.data.previousValidUntil);
    expect(untilMs - startMs).toBeGreaterThanOrEqual(3_600_000);
    const { smsInbound } = body.data;
    expect(smsInbound.split('/').slice(0, -1)).toEqual(first.smsInbound.split('/').slice(0, -1));
    expect(await urlsOf(ref.id)).toEqual({ ...first, smsInbound });
    const both = [first.smsInbound, smsInbound];
    expect(await acceptedAt(ref.id, both, untilMs - 1)).toEqual([true, true]);
    expect(await acceptedAt(ref.id, both, untilMs)).toEqual([false, true]);
  });

  it('200 ends no URL early when it is repeated, because its first response may have been lost', async () => {
    const { ref } = await world.newAccount();
    const { smsInbound: first } = await urlsOf(ref.id);
    const lost = (await rotate(ref.id)).body.data;
    const repeated = (await rotate(ref.id, { overlapSeconds: 60 })).body.data;
    const all = [first, lost.smsInbound, repeated.smsInbound];
    expect(await acceptedAt(ref.id, all)).toEqual([true, true, true]);
    expect(await acceptedAt(ref.id, all, Date.parse(repeated.previousValidUntil))).toEqual([true, false, true]);
    expect(await acceptedAt(ref.id, all, Date.parse(lost.previousValidUntil))).toEqual([false, false, true]);
  });

  it('200 keeps three URLs at most: one more rotation ends the oldest one, also when two come at once', async () => {
    const { ref } = await world.newAccount();
    const { smsInbound: first } = await urlsOf(ref.id);
    const second = (await rotate(ref.id)).body.data.smsInbound;
    const both = await Promise.all([rotate(ref.id), rotate(ref.id)]);
    const all = [first, second, ...both.map(({ body }) => body.data.smsInbound)];
    expect(new Set(all).size).toBe(4);
    expect(await acceptedAt(ref.id, all)).toEqual([false, true, true, true]);
  });

  it('200 with an overlap of 0 ends all earlier URLs at once', async () => {
    const { ref } = await world.newAccount();
    const { smsInbound: first } = await urlsOf(ref.id);
    const second = (await rotate(ref.id)).body.data.smsInbound;
    const third = (await rotate(ref.id, { overlapSeconds: 0 })).body.data.smsInbound;
    expect(await acceptedAt(ref.id, [first, second, third])).toEqual([false, false, true]);
  });

  it('200 rotates once when an update whose answer was lost is made again, also after another rotation', async () => {
    const { ref } = await world.newAccount();
    const { smsInbound: first } = await urlsOf(ref.id);
    const nowMs = Date.now();
    const wished = { version: newId(nowMs), previousValidUntilMs: nowMs + 60_000 };
    await world.inboundUrls.rotate(ref.id, wished, nowMs);
    await rotate(ref.id);
    const before = await urlsOf(ref.id);
    await world.inboundUrls.rotate(ref.id, wished, nowMs);
    expect(await urlsOf(ref.id)).toEqual(before);
    expect(await acceptedAt(ref.id, [first])).toEqual([true]);
  });

  it('200 outlasts a change of settings that was read before it', async () => {
    const { ref } = await world.newAccount();
    const before = await world.accounts.find(ref.id);
    if (!before) throw new Error('the account is gone');
    const { smsInbound } = (await rotate(ref.id)).body.data;
    expect(await world.accounts.save(before, changed(before, { name: 'Renamed' }), Date.now())).toBeDefined();
    expect((await urlsOf(ref.id)).smsInbound).toBe(smsInbound);
  });

  it.each(refusedOverlaps)('400 refuses %s, and changes nothing', async (_, body) => {
    const { ref } = await world.newAccount();
    const before = await urlsOf(ref.id);
    const answer = await rotate(ref.id, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain('overlapSeconds');
    expect(await urlsOf(ref.id)).toEqual(before);
  });

  it('404 answers an unknown id', async () => {
    for (const id of ['01932f6e-8c00-7000-8000-000000000000', 'nonsense'])
      expect((await rotate(id)).body.error.code).toBe('account_not_found');
  });
});
