import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { call } from '../../test/call.ts';
import { startWorld, type World } from '../../test/world.ts';
import { contract } from './contract.ts';
import { endpoint } from './endpoint.ts';
import { keylessSurface } from './keyless-surface.ts';
import { browserCalls, limiting, peoplesChanges } from './limiting.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const nowMs = Date.parse('2026-11-20T12:00:30Z');
const origin = 'https://shop.example';

it('429 refuses an address that calls too often with publishable keys, without counting for a key, and its secret keys never', async () => {
  const { ref } = await world.newAccount();
  const handler = endpoint(
    contract({ summary: 's', status: 200, reply: z.unknown() }),
    async () => ({}),
    limiting(world.checkoutCallers(), { ...browserCalls, perMinute: 2, step: 1 }, world.rates),
    () => nowMs,
  );
  const send = (key: string) => call(handler, { headers: { authorization: `Bearer ${key}`, origin } });
  const key = await world.newCheckoutKey(ref, { kind: 'publishable', rateLimitPerMinute: 10 });

  const invented = await send('pk_test_x');
  const known = await send(key);
  expect([invented.status, known.status, known.headers['X-RateLimit-Remaining']]).toEqual([401, 200, '9']);
  const refused = await send(key);
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { code: 'rate_limited', message: expect.stringContaining('Each client address') } },
    headers: { 'Retry-After': '30', 'Access-Control-Allow-Origin': origin },
  });
  expect(await world.checkoutKeys.admit(key, nowMs)).toMatchObject({ count: 2 });
  expect((await send(await world.newCheckoutKey(ref))).status).toBe(200);
});

it('429 refuses an address whose people make too many changes, and neither what they read nor what programs change', async () => {
  const surface = limiting(keylessSurface, { ...peoplesChanges, perMinute: 2, step: 1 }, world.rates);
  const isLetIn = async (method: string, cookies: readonly string[]): Promise<boolean> => {
    const event = { headers: {}, cookies, requestContext: { http: { method, sourceIp: '203.0.113.40' } } };
    return 'who' in (await surface.identify(event as unknown as APIGatewayProxyEventV2, nowMs));
  };
  const session = ['__Host-session=s'];
  expect([await isLetIn('POST', session), await isLetIn('PATCH', session), await isLetIn('POST', session)]).toEqual([
    ...[true, true, false],
  ]);
  expect(await isLetIn('GET', session)).toBe(true);
  expect(await isLetIn('POST', [])).toBe(true);
});
