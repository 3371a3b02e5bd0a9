import { kindOf } from './auth.ts';
import type { Route } from './routes.ts';

/** Requests a second to one route, and how many may come at once. API Gateway answers further ones with 429. */
export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/**
 * Routes without a limit below: callers with a key, which is counted too, operators, and providers. A part of an account's quota in a region
 * of 10,000 a second, so that no route takes it all. Twice what one account sends at most. The newer regions have a quota of 2,500 and bursts of
 * 1,250, and a stage may have no more than its account (API Gateway developer guide, “Throttle requests to your HTTP APIs”).
 */
export const stageThrottle: Throttle = { rate: 2_000, burst: 1_250 };

/** By what a route is for: the first part of its folder. */
const ofRoom: Readonly<Record<string, Throttle>> = { docs: { rate: 20, burst: 100 } };

/** By who calls. A flood by callers without a key takes a tenth of the usual 1,000 concurrent functions. */
const ofCaller: Partial<Record<ReturnType<typeof kindOf>, Throttle>> = {
  public: { rate: 100, burst: 200 },
  payer: { rate: 200, burst: 400 },
  payerToken: { rate: 200, burst: 400 },
};

/** The limit of a route; undefined: that of the stage. */
export const throttleOf = ({ does, auth }: Pick<Route, 'does' | 'auth'>): Throttle | undefined =>
  ofRoom[does.split('/')[0] ?? ''] ?? ofCaller[kindOf(auth)];
