import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contextWith } from '../../test/lambda-context.ts';
import { addressLimit } from './address-limit.ts';
import { callback } from './callback.ts';
import { callBack } from './callback-fixture.ts';
import { form } from './form.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const from = (sourceIp: string) =>
  ({ requestContext: { requestId: 'r', http: { sourceIp } }, headers: {} }) as unknown as APIGatewayProxyEventV2;

/** The counters of the table, and how often they were written. */
const startRates = () => {
  const counts = new Map<string, number>();
  let writes = 0;
  return {
    writes: () => writes,
    count: async (subject: string, nowMs: number, { calls }: { readonly calls: number }) => {
      writes += 1;
      const key = `${subject} ${Math.floor(nowMs / 60_000)}`;
      counts.set(key, (counts.get(key) ?? 0) + calls);
      return counts.get(key) ?? 0;
    },
  };
};

it('an address over its limit waits for the next minute; others do not', async () => {
  const limit = addressLimit(startRates(), { of: 'calls', perMinute: 3, step: 1 });
  const calls = (address: string, times: number, nowMs: number) =>
    Promise.all(Array.from({ length: times }, () => limit(from(address), nowMs)));
  expect(await calls('203.0.113.7', 4, startMs + 15_000)).toEqual([undefined, undefined, undefined, 45]);
  expect(await calls('203.0.113.8', 1, startMs + 15_000)).toEqual([undefined]);
  expect(await calls('203.0.113.7', 1, startMs + 60_000)).toEqual([undefined]);
});

it('warm functions together let through the limit and less than a step each more, and write once a step until then', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        functions: fc.integer({ min: 1, max: 4 }),
        step: fc.integer({ min: 1, max: 10 }),
        perMinute: fc.nat(60),
      }),
      fc.array(fc.nat(3), { minLength: 150, maxLength: 200 }),
      async ({ functions, step, perMinute }, order) => {
        const rates = startRates();
        const limits = Array.from({ length: functions }, () => addressLimit(rates, { of: 'calls', perMinute, step }));
        let passed = 0;
        for (const turn of order)
          if ((await limits[turn % functions]?.(from('203.0.113.7'), startMs)) === undefined) passed += 1;
        expect(passed).toBeGreaterThanOrEqual(Math.min(order.length, perMinute));
        expect(passed).toBeLessThanOrEqual(perMinute + functions * step);
        expect(rates.writes()).toBeLessThanOrEqual(Math.ceil(perMinute / step) + functions);
      },
    ),
    { numRuns: 25 },
  );
});

it('a callback over the limit is not handled, and is answered 429 with Retry-After', async () => {
  const handled: unknown[] = [];
  const handle = async () => {
    handled.push(1);
    return 'heard' as const;
  };
  const handler = callback(
    handle,
    async () => 12,
    () => startMs,
  );
  expect(await callBack(handler, {})).toMatchObject({
    ...{ status: 429, text: 'too many requests' },
    headers: { 'Retry-After': '12', 'Content-Type': 'text/plain; charset=utf-8' },
  });
  expect(handled).toEqual([]);
});

it('a form over the limit is not submitted, and is answered 429 with its page', async () => {
  const pages = { done: '', doneForAddress: '', erased: '', unknown: '', busy: 'Too many', failed: '' };
  const act = async () => expect.fail('submitted');
  const answer = await form(
    act,
    pages,
    async () => 12,
    () => startMs,
  )(from('203.0.113.7'), contextWith());
  expect(answer).toMatchObject({ statusCode: 429, body: 'Too many', headers: { 'Retry-After': '12' } });
});
