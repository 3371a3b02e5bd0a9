import type { RouteSpec } from './blueprint.ts';

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** Whether a request to this route may pass now. Each route has a bucket of its `burst`, which fills at its `rate`, as in API Gateway. */
export const routeThrottle = () => {
  const buckets = new Map<string, Bucket>();
  return ({ key, throttle }: RouteSpec, nowMs: number): boolean => {
    if (!throttle) return true;
    const { rate, burst } = throttle;
    const { tokens, atMs } = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const available = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) / 1_000) * rate);
    const passes = available >= 1;
    buckets.set(key, { tokens: passes ? available - 1 : available, atMs: nowMs });
    return passes;
  };
};
