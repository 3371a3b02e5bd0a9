import { because, failures } from '../../messages/failures.ts';
import type { HttpAnswer, HttpFailure } from '../http/pinned-request.ts';
import type { TextOutcome } from './text-provider.ts';

export const isSuccess = ({ statusCode }: Pick<HttpAnswer, 'statusCode'>): boolean =>
  statusCode >= 200 && statusCode <= 299;

/** The outcome of a text whose request got no answer. */
export const outcomeWithoutAnswer = ({ kind, message }: HttpFailure): TextOutcome => {
  switch (kind) {
    case 'refused':
      return { kind: 'refused', ...because(failures.misconfigured, message), concernsSetup: true };
    case 'unreached':
      return { kind: 'unavailable' };
    case 'broken':
      return { kind: 'unknown' };
  }
};

/**
 * The outcome of a text when the status shows that the provider did not decide on it; undefined when it did. With 500 the provider failed at
 * any step, perhaps after it had accepted the text; with the others a proxy says that it got no answer in time, or none that it understood (520
 * and above are Cloudflare's).
 */
export const outcomeByStatus = ({ statusCode, headers }: HttpAnswer): TextOutcome | undefined => {
  if ([500, 502, 504].includes(statusCode) || statusCode >= 520) return { kind: 'unknown' };
  if (statusCode < 500 && ![408, 425, 429].includes(statusCode)) return undefined;
  const waitSeconds = retryAfterSeconds(headers['retry-after'], Date.now());
  return { kind: statusCode === 429 ? 'throttled' : 'unavailable', ...(waitSeconds !== undefined && { waitSeconds }) };
};

/** The delay of a number of seconds or a date (RFC 9110); undefined for any other value. */
const retryAfterSeconds = (header: string | undefined, nowMs: number): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const seconds = Math.ceil((Date.parse(header) - nowMs) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

const mostCodeCharacters = 100;
const mostReasonCharacters = 500;

/** A refusal with the provider's text, which may be of any length. */
export const refusal = (code: string, reason: string, concernsSetup: boolean): TextOutcome => ({
  kind: 'refused',
  code: code.slice(0, mostCodeCharacters),
  reason: reason.slice(0, mostReasonCharacters),
  ...(concernsSetup && { concernsSetup }),
});

/** Credentials that are not accepted, or a URL that is not the provider's any more. */
export const isOfSetup = ({ statusCode }: Pick<HttpAnswer, 'statusCode'>): boolean =>
  (statusCode >= 300 && statusCode <= 399) || [401, 403].includes(statusCode);
