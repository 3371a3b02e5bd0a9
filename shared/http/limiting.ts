import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { cookieIn } from '../people/session-cookie.ts';
import { type AddressLimit, addressLimit } from './address-limit.ts';
import { tooOften } from './admission.ts';
import { corsHeaders } from './cors.ts';
import { bearerToken } from './credentials.ts';
import { isRead } from './reads.ts';
import { retryAfter } from './retry-after.ts';
import type { Surface } from './surface.ts';

/** How often a client address may make some of the calls of a surface. */
interface Limit extends AddressLimit {
  readonly isOne: (event: APIGatewayProxyEventV2) => boolean;
  /** Of a refusal. */
  readonly headersFor: (event: APIGatewayProxyEventV2) => Readonly<Record<string, string>>;
}

/**
 * Everybody finds a publishable key in the page of its shop, and one visitor could use up what all of them may do with it. Many payers share the address
 * of their provider.
 */
export const browserCalls: Limit = {
  of: 'publishable',
  perMinute: 300,
  step: 4,
  isOne: (event) => bearerToken(event)?.startsWith('pk_') === true,
  headersFor: ({ headers }) => corsHeaders(headers['origin']),
};

/** The changes of all people are noted in one log, refused ones too, and one person could keep it busy for all. Colleagues share an address. */
export const peoplesChanges: Limit = {
  of: 'changes',
  perMinute: 600,
  step: 5,
  isOne: (event) => cookieIn(event) !== undefined && !isRead(event),
  headersFor: () => ({}),
};

/** Refuses an address that makes such calls more often, before a key or a session is looked at. */
export const limiting = <Who extends object>(
  surface: Surface<Who>,
  { isOne, headersFor, ...limit }: Limit,
  rates: Parameters<typeof addressLimit>[0],
): Surface<Who> => {
  const count = addressLimit(rates, limit);
  return {
    ...surface,
    identify: async (event, nowMs) => {
      const waitSeconds = isOne(event) ? await count(event, nowMs) : undefined;
      if (waitSeconds === undefined) return surface.identify(event, nowMs);
      return {
        headers: { ...headersFor(event), ...retryAfter(waitSeconds) },
        refusal: tooOften('Each client address', limit.perMinute),
      };
    },
  };
};
