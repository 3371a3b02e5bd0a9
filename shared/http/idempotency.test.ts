import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Call, call } from '../../test/call.ts';
import { startWorld, type TestAccount, type World } from '../../test/world.ts';
import { Fault } from '../kit/fault.ts';
import { InternalError } from '../kit/internal-error.ts';
import { hourMs } from '../kit/time-units.ts';
import { apiKeySurface } from './api-key-surface.ts';
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

const startMs = Date.parse('2026-11-20T12:00:00Z');

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

/** An endpoint with behaviour and time set by the test. It records its ids. */
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
  it('replays status and body byte for byte for any second body, with current rate headers', async () => {
    const { make, made } = maker();
    const first = await make('replayed');
    const second = await make('replayed', { body: { name: 'Bob' } });
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(first.headers['Idempotent-Replay']).toBeUndefined();
    expect(second.headers['Idempotent-Replay']).toBe('true');
    expect(Number(second.headers['X-RateLimit-Remaining'])).toBe(Number(first.headers['X-RateLimit-Remaining']) - 1);
    expect(made).toHaveLength(1);
  });

  it('does nothing without a key or with an empty one', async () => {
    const { make, made } = maker();
    await make(undefined);
    await make('');
    await make('');
    expect(new Set(made).size).toBe(3);
  });

  it('replays for exactly 24 hours, also before TTL has deleted the key', async () => {
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

  it('replays for 24 hours from the request that got the answer, which others without one may precede', async () => {
    let nowMs = startMs;
    let fail: Error | undefined = new Error('the answer was lost');
    const { make } = maker(
      async () => {
        if (fail) throw fail;
      },
      () => nowMs,
    );
    expect((await make('late')).status).toBe(500);
    fail = undefined;
    nowMs = startMs + 24 * hourMs - 1;
    const answer = await make('late');
    nowMs += 24 * hourMs - 1;
    expect((await make('late')).text).toBe(answer.text);
  });

  it('409 answers a duplicate while the first is in flight; of 20 concurrent requests one is executed', async () => {
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

  it('409 answers a key of another endpoint', async () => {
    const { make } = maker();
    await make('one endpoint');
    const { status, body } = await make('one endpoint', { routeKey: 'TEST /other' });
    expect([status, body.error.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('is free again after a refusal or a failed validation', async () => {
    let fail: Error | undefined = new Fault('insufficient_credits', 'No.');
    const { make, made } = maker(async () => {
      if (fail) throw fail;
    });
    expect((await make('again')).status).toBe(402);
    expect((await make('again')).status).toBe(402);
    fail = undefined;
    expect((await make('again', { body: {} })).status).toBe(400);
    expect((await make('again', { routeKey: 'TEST /other' })).status).toBe(201);
    expect(new Set(made).size).toBe(3);
  });

  it('frees the key of a crashed function and keeps the id, so that a retry finds what it created', async () => {
    let nowMs = startMs;
    const { promise, resolve } = gate();
    const { make: makeAndDie, made: begun } = maker(
      () => promise,
      () => nowMs,
    );
    const dead = makeAndDie('died');
    await expect.poll(() => begun.length).toBe(1);
    const { make, made } = maker(undefined, () => nowMs);
    nowMs += 25_900;
    expect((await make('died')).status).toBe(409);
    nowMs += 200;
    expect((await make('died')).body.data.id).toBe(begun[0]);
    expect(made).toEqual(begun);
    resolve();
    await dead;
  });

  it('a claim that was taken over can neither end nor answer the new one', async () => {
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

  it('keeps the id of a request that ended without an answer, so that an immediate retry finds what it created', async () => {
    let fail: Error | undefined = new Error('the answer was lost');
    const { make, made } = maker(async () => {
      if (fail) throw fail;
    });
    expect((await make('no answer')).status).toBe(500);
    expect((await make('no answer', { routeKey: 'TEST /other' })).status).toBe(409);
    expect((await make('no answer', { body: {} })).status).toBe(400);
    fail = new Fault('send_blocked', 'Not now.');
    expect((await make('no answer')).status).toBe(422);
    expect((await make('no answer', { routeKey: 'TEST /other' })).status).toBe(409);
    fail = undefined;
    const retry = await make('no answer');
    expect([retry.status, retry.body.data.id]).toEqual([201, made[0]]);
    expect(new Set(made).size).toBe(1);
    expect((await make('no answer')).text).toBe(retry.text);
  });

  it('is free again after an error whose effects were taken back', async () => {
    let fail: Error | undefined = new InternalError('the provider is unavailable', {}, { isUndone: true });
    const { make, made } = maker(async () => {
      if (fail) throw fail;
    });
    expect((await make('undone')).status).toBe(500);
    fail = undefined;
    expect((await make('undone', { routeKey: 'TEST /other' })).status).toBe(201);
    expect(new Set(made).size).toBe(2);
  });

  it('keeps the claim of a function that was about to be cut off until it must have ended', async () => {
    let nowMs = startMs;
    const { promise } = gate();
    const slow = maker(
      () => promise,
      () => nowMs,
    );
    const cutOff = await slow.make('cut off', { remainingMs: 260 });
    expect([cutOff.status, cutOff.headers['Retry-After']]).toEqual([503, '2']);
    const { make } = maker(undefined, () => nowMs);
    nowMs += 1_260;
    expect((await make('cut off')).status).toBe(409);
    nowMs += 1;
    expect((await make('cut off')).body.data.id).toBe(slow.made[0]);
  });

  it('a function that was cut off, and goes on when its process is used again, makes no call of a service', async () => {
    const [frozen, ended] = [gate(), gate()];
    const slow = maker(async () => {
      await frozen.promise;
      await world.accounts.find(account.ref.id).then(
        () => ended.reject(new Error('it read the table')),
        (thrown) => ended.resolve(expect(thrown).toMatchObject({ message: 'the time of the request is over' })),
      );
    });
    expect((await slow.make('frozen', { remainingMs: 260 })).status).toBe(503);
    setTimeout(frozen.resolve, 300);
    await ended.promise;
  });

  describe('when the table executes writes and loses their answers', () => {
    const isOfKey = (_: string, input: string) => input.includes('#IDEM#');

    it('of the claim, once: the request continues with its own claim', async () => {
      const { make } = maker();
      let lost = 0;
      const stop = world.loseAnswers((_, input) => isOfKey(_, input) && ++lost === 1);
      expect((await make('claim lost once')).status).toBe(201);
      stop();
    });

    it('of the claim, every time: 5xx, and an immediate retry is executed', async () => {
      const { make, made } = maker();
      const stop = world.loseAnswers(isOfKey, { forGood: true });
      expect((await make('claim lost')).status).toBeGreaterThanOrEqual(500);
      stop();
      expect((await make('claim lost')).status).toBe(201);
      expect(made).toHaveLength(1);
    });

    it('of the stored reply: 201, and a retry replays it', async () => {
      const { make, made } = maker();
      const stop = world.loseAnswers((_, input) => isOfKey(_, input) && input.includes('reply'), { forGood: true });
      const { status, text } = await make('reply lost');
      stop();
      expect(status).toBe(201);
      expect((await make('reply lost')).text).toBe(text);
      expect(made).toHaveLength(1);
    });
  });

  it('201 is executed again at once with the same id when its reply could not be stored', async () => {
    const { make, made } = maker();
    const complete = () => Promise.reject(new Error('the key service is away'));
    const idempotencyKeys = { ...world.idempotencyKeys, complete };
    const callers = apiKeySurface({
      apiKeys: world.apiKeys,
      audit: world.audit,
      idempotencyKeys,
      scope: 'messages:send',
    });
    const unkept: string[] = [];
    const handler = endpoint(
      makeContract,
      async ({ newId, body }: Make) => {
        unkept.push(newId);
        return { id: newId, name: body.name };
      },
      callers,
    );
    const headers = { 'idempotency-key': 'not stored' };
    expect((await call(handler, { key: account.key, headers, body: { name: 'Ada' } })).status).toBe(201);
    expect((await make('not stored')).status).toBe(201);
    expect(made).toEqual(unkept);
  });

  describe('takes precedence over the request', () => {
    const bodies: [unknown][] = [['{"broken'], [''], ['[]'], [{}], [{ name: 1 }], [Buffer.from([0xff])]];

    it.each(bodies)('a key with a reply replays it: %j', async (body) => {
      const { make } = maker();
      const key = `replayed ${JSON.stringify(body)}`;
      const first = await make(key);
      const second = await make(key, { body });
      expect([second.status, second.text, second.headers['Idempotent-Replay']]).toEqual([201, first.text, 'true']);
    });

    it.each(bodies)('409 on another endpoint, 409 in flight: %j', async (body) => {
      const { promise, resolve } = gate();
      const { make, made } = maker(() => promise);
      const key = `held ${JSON.stringify(body)}`;
      const first = make(key);
      await expect.poll(() => made.length).toBe(1);
      const refused = await Promise.all([make(key, { body }), make(key, { body, routeKey: 'TEST /other' })]);
      expect(refused.map((answer) => answer.body.error.code)).toEqual(['idempotency_conflict', 'idempotency_conflict']);
      resolve();
      expect((await first).status).toBe(201);
    });

    it.each(bodies)('400 does not use up the key: %j', async (body) => {
      const { make } = maker();
      const key = `refused ${JSON.stringify(body)}`;
      expect((await make(key, { body })).status).toBe(400);
      expect((await make(key, { routeKey: 'TEST /other' })).status).toBe(201);
    });
  });

  it('400 refuses a key of over 255 characters; every other string is accepted, and none is stored in plain text', async () => {
    const { make } = maker();
    const long = await make('k'.repeat(256));
    expect([long.status, long.body.error.code]).toEqual([400, 'invalid_request']);
    // As Node gives the bytes of UTF-8 in a header.
    const sent = (text: string) => Buffer.from(text).toString('latin1');
    expect((await make(sent('ক'.repeat(256)))).status).toBe(400);
    for (const key of ['k'.repeat(255), sent('ক'.repeat(255)), ' spaced out ', 'ключ', '#\n\u0001', 'A#B#C'])
      expect((await make(key)).status).toBe(201);
    expect(JSON.stringify(await world.scan())).not.toContain('spaced out');
  });

  it('is scoped to an account', async () => {
    const { make, made } = maker();
    const other = await world.newAccount();
    await make('shared');
    await make('shared', { key: other.key });
    expect(made).toHaveLength(2);
  });

  it('stores the answer to a large request', async () => {
    const { make } = maker();
    const name = Array.from({ length: 30_000 }, (_, n) => `row ${n}`).join(',');
    const first = await make('large', { body: { name } });
    expect((await make('large')).text).toBe(first.text);
  });
});
