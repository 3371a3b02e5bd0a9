import type { AddressLimit, LimitAddress } from './address-limit.ts';
import { tooOften } from './admission.ts';
import { corsHeaders } from './cors.ts';
import { bearerToken } from './credentials.ts';
import { retryAfter } from './retry-after.ts';
import type { Surface } from './surface.ts';

/** Many payers share the address of their provider. */
export const browsersOfAddress: AddressLimit = { of: 'publishable', perMinute: 300, step: 4 };

/**
 * Refuses an address that calls more often with publishable keys, before a key is looked at: everybody finds such a key in the page of its shop,
 * and one visitor could use up what all of them may do with it.
 */
export const limitingBrowsers = <Who extends object>(surface: Surface<Who>, limit: LimitAddress): Surface<Who> => ({
  ...surface,
  identify: async (event, nowMs) => {
    const { origin } = event.headers;
    const waitSeconds = bearerToken(event)?.startsWith('pk_') ? await limit(event, nowMs) : undefined;
    if (waitSeconds === undefined) return surface.identify(event, nowMs);
    return {
      headers: { ...corsHeaders(origin), ...retryAfter(waitSeconds) },
      refusal: tooOften('client address', browsersOfAddress.perMinute),
    };
  },
});
