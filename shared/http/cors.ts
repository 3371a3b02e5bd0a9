import { envelope, type Surface } from './surface.ts';

const exposed = [
  'Idempotent-Replay',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
];
const preflightSeconds = 7_200;

/** Lets a page of this origin read the answer. Requests that do not come from a browser have no origin. */
export const corsHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed.join(', '), Vary: 'Origin' };

/**
 * Answers preflight requests. They carry no key yet, so every origin is allowed; the key's own limits apply to the real request.
 * The API reads no cookies, so this exposes nothing.
 * @public `infra/callers.ts` names it.
 */
export const preflightSurface: Surface<object> = {
  identify: async () => ({
    who: {},
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
      'Access-Control-Max-Age': String(preflightSeconds),
    },
  }),
  faultBody: envelope,
};
