import { isId } from '../kit/id.ts';
import { addressLimit } from './address-limit.ts';
import { tooOften } from './admission.ts';
import { retryAfter } from './retry-after.ts';
import { checkoutFaults, type Identity, type Surface } from './surface.ts';

interface Needs {
  readonly rates: {
    /** Counts a call of this subject. Returns its calls in this minute. */
    count(subject: string, nowMs: number): Promise<number>;
  };
  /** Additional headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** In one minute. */
export const callsPerAddress = 300;
export const callsPerSession = 60;

/**
 * Callers without a key: payers, and servers that poll. A client address may call 300 times a minute, and each endpoint 60 times a minute
 * for one session, the `id` of its path: so a server that polls too often does not keep the payer from the page. What an address calls beyond its
 * limit does not count for the session.
 */
export const payerSurface = ({ rates, headers = {} }: Needs): Surface<object> => {
  const limitAddress = addressLimit(rates, { of: 'address', perMinute: callsPerAddress, step: 1 });
  const refused = (subject: string, limit: number, waitSeconds: number): Identity<object> => ({
    headers: { ...headers, ...retryAfter(waitSeconds) },
    refusal: tooOften(subject, limit),
  });
  return {
    identify: async (event, nowMs): Promise<Identity<object>> => {
      const waitSeconds = await limitAddress(event, nowMs);
      if (waitSeconds !== undefined) return refused('Each client address', callsPerAddress, waitSeconds);
      const session = event.pathParameters?.['id'] ?? '';
      // Only possible ids: otherwise callers could create any number of counters.
      const ofSession = isId(session)
        ? await rates.count(`session ${session} ${event.routeKey.replace(/^HEAD /, 'GET ')}`, nowMs)
        : 0;
      if (ofSession <= callsPerSession) return { headers, who: {} };
      return refused('Each checkout session', callsPerSession, 60 - (Math.floor(nowMs / 1_000) % 60));
    },
    ...checkoutFaults,
  };
};
