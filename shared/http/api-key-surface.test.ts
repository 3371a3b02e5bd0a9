import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../test/call.ts';
import { startWorld, type World } from '../../test/world.ts';
import { Unavailable } from '../kit/fault.ts';
import { minuteMs } from '../kit/time-units.ts';
import { contract } from './contract.ts';
import { endpoint } from './endpoint.ts';
import { keylessSurface } from './keyless-surface.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const startMs = Date.parse('2026-11-20T12:00:30Z');

const getter = (clock: () => number) => {
  const handler = endpoint(
    contract({ summary: 's', status: 204 }),
    async () => undefined,
    world.callers('messages:read'),
    clock,
  );
  return (key: string) => call(handler, { key });
};

describe('the rate limit', () => {
  it('counts in fixed minutes, returns limit, remaining and reset, and starts again', async () => {
    let nowMs = startMs;
    const { key } = await world.newAccount({ rateLimitPerMinute: 3 });
    const get = getter(() => nowMs);
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(await get(key));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 429, 429]);
    expect(answers.map(({ headers }) => headers['X-RateLimit-Remaining'])).toEqual(['2', '1', '0', '0', '0']);
    const reset = String(Date.parse('2026-11-20T12:01:00Z') / 1_000);
    for (const { headers } of answers)
      expect(headers).toMatchObject({ 'X-RateLimit-Limit': '3', 'X-RateLimit-Reset': reset });
    expect(answers.map(({ headers }) => headers['Retry-After'])).toEqual([undefined, undefined, undefined, '30', '30']);
    expect(answers[4]?.body.error.message).toBe(
      'This key may make 3 requests a minute. Wait for the number of seconds in Retry-After.',
    );
    nowMs += minuteMs / 2;
    expect((await get(key)).headers['X-RateLimit-Remaining']).toBe('2');
  });

  it('counts every one of many concurrent calls, also at the start of a minute', async () => {
    const { key } = await world.newAccount({ rateLimitPerMinute: 30 });
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => getter(() => startMs)(key)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(30);
  });

  it('uses a minute that a machine with a faster clock has begun', async () => {
    const { key } = await world.newAccount({ rateLimitPerMinute: 2 });
    await getter(() => startMs + minuteMs)(key);
    const answer = await getter(() => startMs)(key);
    expect([answer.status, answer.headers['X-RateLimit-Remaining']]).toEqual([204, '0']);
    expect((await getter(() => startMs)(key)).status).toBe(429);
  });
});

it('an empty header is none: the key may stand in the other one', async () => {
  const { key } = await world.newAccount();
  const handler = endpoint(
    contract({ summary: 's', status: 204 }),
    async () => undefined,
    world.callers('messages:read'),
  );
  const { status } = await call(handler, { headers: { 'x-api-key': ' ', authorization: `Bearer ${key}` } });
  expect(status).toBe(204);
});

it.each([{}, { authorization: 'Basic bWs6' }, { authorization: 'mk_1' }, { 'x-api-key': '' }])(
  '401 says how a key is sent where none is found in %j',
  async (headers) => {
    const handler = endpoint(contract({ summary: 's', status: 204 }), async () => undefined, world.callers());
    const { status, body } = await call(handler, { headers });
    const message = 'The API key is missing. Send it as X-API-Key, or as Authorization: Bearer.';
    expect([status, body.error.message]).toEqual([401, message]);
  },
);

it('401 names the challenge', async () => {
  const { status, headers } = await getter(() => startMs)('msk_unknown');
  expect([status, headers['WWW-Authenticate']]).toEqual([401, 'ApiKey realm="messaging", Bearer realm="messaging"']);
});

describe('what fails', () => {
  const failing = (thrown: Error, routeKey: string, headers: Record<string, string> = {}) =>
    call(
      endpoint(
        contract({ summary: 's', status: 204, isReplayable: true }),
        async () => {
          throw thrown;
        },
        keylessSurface,
      ),
      { routeKey, headers },
    );

  it.each([
    ['a read', 'GET /x', {}, '; a retry is safe'],
    ['a write with an Idempotency-Key', 'POST /x', { 'idempotency-key': 'k' }, '; a retry is safe'],
    ['a write without one', 'POST /x', {}, ''],
  ])('500 promises that a retry is safe only where it is: %s', async (_, routeKey, headers, promise) => {
    const { status, body } = await failing(new Error('a bug'), routeKey, headers);
    expect([status, body.error.message]).toEqual([500, `Unexpected server error${promise}. Request id: test-request`]);
  });

  it('503 has a Retry-After', async () => {
    const { status, body, headers } = await failing(new Unavailable('busy', { retryAfterSeconds: 3 }), 'POST /x');
    expect([status, body.error.code, headers['Retry-After']]).toEqual([503, 'internal_error', '3']);
    expect(body.error.message).toBe('The service is temporarily unavailable. Request id: test-request');
  });
});
