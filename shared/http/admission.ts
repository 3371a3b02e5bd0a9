import { Fault } from '../kit/fault.ts';

/** How often a key has been used in its current minute. */
export interface Usage {
  readonly limit: number;
  readonly count: number;
  readonly resetSeconds: number;
}

/** What every answer to a known key says of its limit (messaging specification, "Limits"). */
export const usageHeaders = ({ limit, count, resetSeconds }: Usage): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(Math.max(0, limit - count)),
  'X-RateLimit-Reset': String(resetSeconds),
});

export const overuse = ({ limit, count }: Usage): Fault | undefined =>
  count > limit
    ? new Fault('rate_limited', `This key may call ${limit} times a minute. Wait until X-RateLimit-Reset.`)
    : undefined;
