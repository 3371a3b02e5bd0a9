import type { FaultCode } from '../kit/fault.ts';

export interface FaultEntry {
  readonly status: number;
  /** When a caller meets it, and what mends it: the text of the errors page. */
  readonly condition: string;
}

/** The Codes table of the specification. The errors page of the docs is printed from it. */
export const faults: Readonly<Record<FaultCode, FaultEntry>> = {
  invalid_request: { status: 400, condition: 'The body or the query failed validation; `message` names each field.' },
  invalid_recipient: { status: 400, condition: '`to` is not an address of this channel.' },
  invalid_attachment: {
    status: 400,
    condition: 'An attachment on a channel other than email, or content that is not base64.',
  },
  attachment_too_large: { status: 400, condition: 'The attachments decode to more than 7 MB in total.' },
  unauthorized: { status: 401, condition: 'The API key is missing, malformed, unknown or revoked.' },
  insufficient_credits: {
    status: 402,
    condition: 'The channel’s credit counter cannot cover the send. Nothing was sent.',
  },
  forbidden_scope: { status: 403, condition: 'The key lacks the scope of this endpoint.' },
  template_not_found: { status: 404, condition: 'The account has no such template, or it belongs to another channel.' },
  contact_not_found: { status: 404, condition: 'The account has no such contact.' },
  message_not_found: { status: 404, condition: 'The account has no such message.' },
  webhook_not_found: { status: 404, condition: 'The account has no such webhook subscription.' },
  not_found: { status: 404, condition: 'There is nothing at this path, or not with this method.' },
  conflict: { status: 409, condition: 'Another contact holds this email or phone. A retired contact keeps its email.' },
  idempotency_conflict: {
    status: 409,
    condition: 'The Idempotency-Key is in flight, or was used on another endpoint.',
  },
  send_blocked: { status: 422, condition: 'The send is not permitted now; `message` says which rule stopped it.' },
  rate_limited: { status: 429, condition: 'The key’s request limit is used up. Wait until `X-RateLimit-Reset`.' },
  internal_error: { status: 500, condition: 'A fault of ours. Retrying with the same Idempotency-Key is safe.' },
};

/** Where the docs explain a code: a path on the host that answered. */
export const docsUrlOf = (code: FaultCode): string => `/docs/errors#${code}`;
