import { InternalError } from './internal-error.ts';

/** Every error code. Codes are only ever added (messaging specification, "Versioning"). Their HTTP statuses are in `http/faults.ts`. */
export const faultCodes = [
  'invalid_request',
  'invalid_recipient',
  'invalid_attachment',
  'attachment_too_large',
  'unauthorized',
  'insufficient_credits',
  'forbidden_scope',
  'template_not_found',
  'contact_not_found',
  'message_not_found',
  'webhook_not_found',
  'not_found',
  'conflict',
  'idempotency_conflict',
  'send_blocked',
  'rate_limited',
  'internal_error',
  'bad_request',
  'session_not_found',
  'session_not_open',
  'payment_in_progress',
  'payment_not_refundable',
  'unsupported_currency',
  'method_unavailable',
  'account_not_found',
  'api_key_not_found',
  'checkout_key_not_found',
  'payment_not_found',
  'refund_not_found',
  'delivery_not_found',
  'upstream_unavailable',
] as const;

export type FaultCode = (typeof faultCodes)[number];

/** The docs path that explains a code, on the host that answered. */
export const docsUrlOf = (code: FaultCode): string => `/docs/errors#${code}`;

/**
 * An error that the caller can correct. They see the message, so it never contains a secret or another account's data.
 * Anything else that is thrown is a bug and becomes `internal_error`.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  /** When a retry may succeed, where the same request is refused now only. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FaultCode, message: string, { retryAfterSeconds }: { retryAfterSeconds?: number } = {}) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The service cannot process a valid request now: a store or a provider was too busy until the deadline. Becomes 503
 * with `Retry-After`. It does not promise that nothing was written, unless it `isUndone`.
 */
export class Unavailable<Message extends string = string> extends InternalError<Message> {
  override readonly name = 'Unavailable';
  /** When a retry is likely to succeed. */
  readonly retryAfterSeconds: number;

  constructor(
    message: ConstructorParameters<typeof InternalError<Message>>[0],
    { retryAfterSeconds = 1, ...options }: { retryAfterSeconds?: number; cause?: unknown; isUndone?: boolean } = {},
  ) {
    super(message, {}, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
