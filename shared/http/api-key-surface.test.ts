import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../test/call.ts';
import { startWorld, type World } from '../../test/world.ts';
import { contract } from './contract.ts';
import { endpoint } from './endpoint.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const minuteMs = 60_000;
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
  it('counts in fixed minutes, tells limit, remaining and reset, and starts anew', async () => {
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
    nowMs += minuteMs / 2;
    expect((await get(key)).headers['X-RateLimit-Remaining']).toBe('2');
  });

  it('counts every one of many calls at once, also when they open a minute', async () => {
    const { key } = await world.newAccount({ rateLimitPerMinute: 30 });
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => getter(() => startMs)(key)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(30);
  });

  it('uses a minute that a machine with a faster clock has opened', async () => {
    const { key } = await world.newAccount({ rateLimitPerMinute: 2 });
    await getter(() => startMs + minuteMs)(key);
    const answer = await getter(() => startMs)(key);
    expect([answer.status, answer.headers['X-RateLimit-Remaining']]).toEqual([204, '0']);
    expect((await getter(() => startMs)(key)).status).toBe(429);
  });
});
