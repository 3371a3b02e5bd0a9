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

/** Lets a page of this origin read the answer. Requests that no browser sent have no origin, and need nothing. */
export const corsHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed.join(', '), Vary: 'Origin' };

/**
 * Browsers that ask whether a page may call. They do not show the key yet, so every page may: what the key allows is seen when it comes.
 * No cookie ever counts, so nothing is given away.
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
