import { isId } from '../kit/id.ts';
import { tooOften } from './admission.ts';
import { clientAt } from './client-address.ts';
import { retryAfter } from './retry-after.ts';
import { checkoutEnvelope, type Identity, type Surface } from './surface.ts';

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
 * for one session, the `id` of its path: so a server that polls too often does not keep the payer from the page.
 */
export const payerSurface = ({ rates, headers = {} }: Needs): Surface<object> => ({
  identify: async ({ requestContext, pathParameters, routeKey }, nowMs): Promise<Identity<object>> => {
    const session = pathParameters?.['id'] ?? '';
    const [ofAddress, ofSession] = await Promise.all([
      rates.count(`address ${clientAt(requestContext.http.sourceIp)}`, nowMs),
      // Only possible ids: otherwise callers could create any number of counters.
      isId(session) ? rates.count(`session ${session} ${routeKey.replace(/^HEAD /, 'GET ')}`, nowMs) : 0,
    ]);
    const fault =
      (ofAddress > callsPerAddress && tooOften('client address', callsPerAddress)) ||
      (ofSession > callsPerSession && tooOften('checkout session', callsPerSession));
    if (!fault) return { headers, who: {} };
    return { headers: { ...headers, ...retryAfter(60 - (Math.floor(nowMs / 1_000) % 60)) }, refusal: fault };
  },
  faultBody: checkoutEnvelope,
});
