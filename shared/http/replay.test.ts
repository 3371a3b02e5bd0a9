import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Call, call } from '../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { Fault } from '../kit/fault.ts';
import { contract, type Input } from './contract.ts';
import { endpoint } from './endpoint.ts';

const makeContract = contract({
  summary: 'Make something',
  status: 201,
  body: z.object({ name: z.string() }),
  reply: z.object({ id: z.string(), name: z.string() }),
  isReplayable: true,
});
type Make = Input<typeof makeContract>;

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-20T12:00:00Z');

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

/** An endpoint that does what it is told, at the time that it is told, and remembers the ids that it was given. */
const maker = (work: (input: Make) => Promise<void> = async () => undefined, clock: () => number = () => startMs) => {
  const made: string[] = [];
  const handler = endpoint(
    makeContract,
    async (input: Make) => {
      made.push(input.newId);
      await work(input);
      return { id: input.newId, name: input.body.name };
    },
    world.callers('messages:send'),
    clock,
  );
  const make = (key: string | undefined, more: Call = {}) =>
    call(handler, {
      key: account.key,
      body: { name: 'Ada' },
      ...more,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  return { make, made };
};

const gate = () => Promise.withResolvers<void>();

describe('Idempotency-Key', () => {
  it('replays status and body byte for byte, whatever the second body says, and carries the rate headers anew', async () => {
    const { make, made } = maker();
    const first = await make('replayed');
    const second = await make('replayed', { body: { name: 'Bob' } });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(first.headers['Idempotent-Replay']).toBeUndefined();
    expect(second.headers['Idempotent-Replay']).toBe('true');
    expect(Number(second.headers['X-RateLimit-Remaining'])).toBe(Number(first.headers['X-RateLimit-Remaining']) - 1);
    expect(made).toHaveLength(1);
  });

  it('does nothing without a key, and an empty one is none', async () => {
    const { make, made } = maker();
    await make(undefined);
    await make('');
    await make('');
    expect(new Set(made).size).toBe(3);
  });

  it('replays for 24 hours and not longer, whether or not the table has tidied up', async () => {
    let nowMs = startMs;
    const { make, made } = maker(undefined, () => nowMs);
    const first = await make('a day');
    nowMs = startMs + 24 * hourMs - 1;
    expect((await make('a day')).text).toBe(first.text);
    nowMs = startMs + 24 * hourMs;
    const fresh = await make('a day');
    expect(fresh.headers['Idempotent-Replay']).toBeUndefined();
    expect(fresh.body.data.id).not.toBe(first.body.data.id);
    expect(made).toHaveLength(2);
  });

  it('409 answers a duplicate while the first is in flight; of 20 at once one is carried out', async () => {
    const { promise, resolve } = gate();
    const { make, made } = maker(() => promise);
    const statuses: number[] = [];
    const all = Array.from({ length: 20 }, async () => {
      const { status } = await make('at once');
      statuses.push(status);
      if (statuses.length === 19) resolve();
    });
    await Promise.all(all);
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 409), 201]);
    expect(made).toHaveLength(1);
  });

  it('409 answers a key that was used on another endpoint', async () => {
    const { make } = maker();
    await make('one endpoint');
    const { status, body } = await make('one endpoint', { routeKey: 'TEST /other' });
    expect([status, body.error.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('is free again after any failure: a refusal, a bug, a failed validation', async () => {
    let fail: Error | undefined = new Fault('insufficient_credits', 'No.');
    const { make, made } = maker(async () => {
      if (fail) throw fail;
    });
    expect((await make('again')).status).toBe(402);
    expect((await make('again')).status).toBe(402);
    fail = new Error('a bug');
    expect((await make('again')).status).toBe(500);
    fail = undefined;
    expect((await make('again', { body: {} })).status).toBe(400);
    expect((await make('again', { routeKey: 'TEST /other' })).status).toBe(201);
    expect(new Set(made).size).toBe(4);
  });

  it('frees the key of a function that died, under the same id, so that its retry finds what it began', async () => {
    let nowMs = startMs;
    const { promise } = gate();
    const { make: makeAndDie, made: begun } = maker(
      () => promise,
      () => nowMs,
    );
    void makeAndDie('died');
    await expect.poll(() => begun.length).toBe(1);
    const { make, made } = maker(undefined, () => nowMs);
    nowMs += 29_000;
    expect((await make('died')).status).toBe(409);
    nowMs += 2_000;
    expect((await make('died')).body.data.id).toBe(begun[0]);
    expect(made).toEqual(begun);
  });

  it('lets a claim that was taken over neither end nor answer for its successor', async () => {
    let nowMs = startMs;
    const { promise, resolve } = gate();
    const slow = maker(
      () => promise,
      () => nowMs,
    );
    const slowAnswer = slow.make('fenced', { body: { name: 'slow' } });
    await expect.poll(() => slow.made.length).toBe(1);
    nowMs += 31_000;
    const quick = maker(undefined, () => nowMs);
    const quickAnswer = await quick.make('fenced', { body: { name: 'quick' } });
    resolve();
    await slowAnswer;
    expect((await quick.make('fenced')).text).toBe(quickAnswer.text);
  });

  it('400 refuses a key of over 255 characters; every other string will do, and none stands readable in the table', async () => {
    const { make } = maker();
    const long = await make('k'.repeat(256));
    expect([long.status, long.body.error.code]).toEqual([400, 'invalid_request']);
    for (const key of ['k'.repeat(255), ' spaced out ', 'ключ', '#\n\u0001', 'A#B#C'])
      expect((await make(key)).status).toBe(201);
    expect(JSON.stringify(await world.scan())).not.toContain('spaced out');
  });

  it('belongs to an account', async () => {
    const { make, made } = maker();
    const other = await world.newAccount();
    await make('shared');
    await make('shared', { key: other.key });
    expect(made).toHaveLength(2);
  });

  it('keeps the answer to a large request', async () => {
    const { make } = maker();
    const name = Array.from({ length: 30_000 }, (_, n) => `row ${n}`).join(',');
    const first = await make('large', { body: { name } });
    expect((await make('large')).text).toBe(first.text);
  });
});
