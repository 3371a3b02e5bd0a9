import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startWorld, type World } from '../../test/world.ts';
import { newId } from '../kit/id.ts';
import { corsHeaders } from './cors.ts';
import { payerSurface } from './payer-surface.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const startMs = Date.parse('2026-11-20T12:00:30Z');

interface Visit {
  readonly from?: string;
  readonly session?: string;
  readonly routeKey?: string;
  readonly nowMs?: number;
}

let payers = 0;
/** A new client address. */
const newAddress = (): string => {
  payers += 1;
  return `198.51.${payers}.7`;
};

/** The outcome of one call: `ok`, or the seconds to wait. */
const visit = async ({ from = newAddress(), session, routeKey = 'GET /status', nowMs = startMs }: Visit) => {
  const event = {
    routeKey,
    requestContext: { http: { sourceIp: from } },
    ...(session !== undefined && { pathParameters: { id: session } }),
  };
  const identity = await world.payers().identify(event as unknown as APIGatewayProxyEventV2, nowMs);
  if (!('refusal' in identity)) return 'ok';
  expect(identity.refusal.code).toBe('rate_limited');
  return Number(identity.headers['Retry-After']);
};
it('lets pages of any origin read the answers, if the endpoint allows it', async () => {
  const event = { routeKey: 'GET /status', requestContext: { http: { sourceIp: newAddress() } } };
  const identify = (surface: ReturnType<typeof payerSurface>) =>
    surface.identify(event as unknown as APIGatewayProxyEventV2, startMs);
  const rates = { count: async () => 1 };
  const open = await identify(payerSurface({ rates, headers: corsHeaders('*') }));
  expect(open.headers).toMatchObject({ 'Access-Control-Allow-Origin': '*' });
  expect((await identify(payerSurface({ rates }))).headers).not.toHaveProperty('Access-Control-Allow-Origin');
});

const visits = (count: number, each: (n: number) => Visit) =>
  Promise.all(Array.from({ length: count }, (_, n) => visit(each(n))));
const refused = (outcomes: readonly unknown[]) => outcomes.filter((outcome) => outcome !== 'ok').length;

const rateItems = async () => (await world.scan()).filter(({ entity }) => entity === 'rate');

describe('callers without a key', () => {
  it('429 refuses an address after 300 calls in a minute, also concurrent ones, and no other address', async () => {
    const from = newAddress();
    expect(refused(await visits(310, () => ({ from })))).toBe(10);
    expect(await visit({ from, nowMs: startMs + 29_999 })).toBe(1);
    expect(await visit({ from })).toBe(30);
    expect(await visit({})).toBe('ok');
    expect(await visit({ from, nowMs: startMs + 30_000 })).toBe('ok');
  });

  it('cost nothing for the rest of the minute where their address is over its limit, and do not count for a session', async () => {
    const [from, session] = [newAddress(), newId(startMs)];
    let writes = 0;
    const count = async (subject: string, nowMs: number) => {
      writes += 1;
      return world.rates.count(subject, nowMs);
    };
    const surface = payerSurface({ rates: { count } });
    const event = { routeKey: 'GET /status', requestContext: { http: { sourceIp: from } } };
    const call = (nowMs: number) =>
      surface.identify({ ...event, pathParameters: { id: session } } as unknown as APIGatewayProxyEventV2, nowMs);
    await visits(300, () => ({ from }));
    for (let calls = 0; calls < 100; calls += 1) expect(await call(startMs)).toHaveProperty('refusal');
    expect(writes).toBe(1);
    expect(await world.rates.count(`session ${session} GET /status`, startMs)).toBe(1);
    expect(await call(startMs + 30_000)).toHaveProperty('who');
  });

  it('429 counts one IPv6 network as one address', async () => {
    expect(refused(await visits(302, (n) => ({ from: `2001:db8:1:2::${n.toString(16)}` })))).toBe(2);
    expect(await visit({ from: '2001:db8:1:3::1' })).toBe('ok');
  });

  it('429 refuses a session after 60 calls in a minute on one endpoint, from any addresses', async () => {
    const session = newId(startMs);
    expect(refused(await visits(65, () => ({ session })))).toBe(5);
    expect(await visit({ session })).toBe(30);
    expect(await visit({ session, routeKey: 'HEAD /status' })).toBe(30);
    expect(await visit({ session, routeKey: 'GET /page' })).toBe('ok');
    expect(await visit({ session: newId(startMs) })).toBe('ok');
    expect(await visit({ session, nowMs: startMs + 30_000 })).toBe('ok');
  });

  it('create no counters for impossible session ids', async () => {
    const from = newAddress();
    const before = (await rateItems()).length;
    for (const session of ['x', '', '%00', 'a'.repeat(3_000), newId(startMs).toUpperCase()])
      await visit({ from, session });
    expect((await rateItems()).length).toBe(before + 1);
  });

  it('leave only counters that expire soon, without addresses', async () => {
    await visit({ from: '192.0.2.99', session: newId(startMs) });
    const items = await rateItems();
    for (const item of items) {
      const { expiresAt } = z.object({ expiresAt: z.number() }).parse(item);
      expect(expiresAt).toBeGreaterThan(startMs / 1_000);
      expect(expiresAt).toBeLessThanOrEqual(startMs / 1_000 + 150);
    }
    expect(JSON.stringify(items)).not.toContain('192.0.2.99');
  });
});
