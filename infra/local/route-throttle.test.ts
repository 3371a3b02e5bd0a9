import fc from 'fast-check';
import { expect, it } from 'vitest';
import { routeTo } from './http-api-fixture.ts';
import { routeThrottle } from './route-throttle.ts';

const passed = (passes: ReturnType<typeof routeThrottle>, key: string, atMs: readonly number[]): number =>
  atMs.filter((nowMs) => passes(routeTo(key, { throttle: { rate: 10, burst: 5 } }), nowMs)).length;

it('a route takes its burst at once, then its rate, and each route by itself', () => {
  const passes = routeThrottle();
  expect(passed(passes, 'GET /a', [0, 0, 0, 0, 0, 0, 0])).toBe(5);
  expect(passed(passes, 'GET /b', [0])).toBe(1);
  expect(passed(passes, 'GET /a', [99, 100, 150, 199, 200])).toBe(2);
});

it('in any time, no more pass than the burst and what the rate gives', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { minLength: 1, maxLength: 100 }), (waits) => {
      let nowMs = 0;
      const times = waits.map((wait) => {
        nowMs += wait % 40;
        return nowMs;
      });
      expect(passed(routeThrottle(), 'GET /a', times)).toBeLessThanOrEqual(5 + nowMs / 100 + 1e-6);
    }),
    { numRuns: 50 },
  );
});

it('a route without a limit takes everything', () => {
  const passes = routeThrottle();
  expect(Array.from({ length: 10_000 }, () => passes(routeTo('GET /a'), 0))).not.toContain(false);
});
