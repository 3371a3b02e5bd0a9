import type { FaultCode } from '../kit/fault.ts';

export interface FaultEntry {
  readonly status: number;
  /** When a caller meets it. CommonMark. */
  readonly condition: string;
  /** What mends it. CommonMark. */
  readonly remedy: string;
  /** The same request, unchanged, may succeed later. */
  readonly isTransient?: true;
}

/** The Codes table of the specification. The errors page of the docs is printed from it. */
export const faults: Readonly<Record<FaultCode, FaultEntry>> = {
  invalid_request: {
    status: 400,
    condition:
      'The body or the query failed validation; `message` names each field. Also an Idempotency-Key of more than 255 characters.',
    remedy: 'Correct those fields and send again.',
  },
  invalid_recipient: {
    status: 400,
    condition: '`to` is not an address of this channel.',
    remedy: 'Send an email address on email, and a phone number in E.164 form on sms and whatsapp.',
  },
  invalid_attachment: {
    status: 400,
    condition: 'An attachment on a channel other than email, or content that is not base64.',
    remedy: 'Attach files to emails only, with their content in base64.',
  },
  attachment_too_large: {
    status: 400,
    condition: 'The attachments decode to more than 7 MB in total.',
    remedy: 'Attach fewer or smaller files, or link to them.',
  },
  unauthorized: {
    status: 401,
    condition: 'The API key is missing, malformed, unknown or revoked.',
    remedy:
      'Send a valid key in `X-API-Key`, or in `Authorization` after `ApiKey` or `Bearer`; on the checkout, a checkout key after `Bearer`.',
  },
  insufficient_credits: {
    status: 402,
    condition: 'The channel’s credit counter cannot cover the send. Nothing was sent.',
    remedy: 'Top the counter up, then send again; the same Idempotency-Key may be used.',
  },
  forbidden_scope: {
    status: 403,
    condition: 'The key lacks the scope of this endpoint; or a publishable key was used by a page that it is not for.',
    remedy:
      'Use a key that was granted the scope, which `message` names; or one whose allowed origins include the page’s.',
  },
  template_not_found: {
    status: 404,
    condition: 'The account has no such template, or it belongs to another channel.',
    remedy: 'Send the id of an active template of the same channel; its name is not taken.',
  },
  contact_not_found: {
    status: 404,
    condition: 'The account has no such contact.',
    remedy: 'Check the id. A deleted contact is not found either.',
  },
  message_not_found: {
    status: 404,
    condition: 'The account has no such message.',
    remedy: 'Check the id, and that the key belongs to the account of the message.',
  },
  webhook_not_found: {
    status: 404,
    condition: 'The account has no such webhook subscription.',
    remedy: 'Check the id. A deleted subscription is not found either.',
  },
  not_found: {
    status: 404,
    condition: 'There is nothing at this path, or not with this method.',
    remedy: 'Check path and method.',
  },
  conflict: {
    status: 409,
    condition:
      'Another contact holds this email or phone; a retired contact keeps its email. To an operator: the payment is not held for review, or a credit counter would leave its range.',
    remedy:
      'Update the contact that holds it, or send another email or phone. To an operator: read the payment or the credits first.',
  },
  idempotency_conflict: {
    status: 409,
    condition: 'The Idempotency-Key is in flight, or was used on another endpoint.',
    remedy: 'Wait for the first request to be answered, then repeat it; on another endpoint take a new key.',
    isTransient: true,
  },
  send_blocked: {
    status: 422,
    condition: 'The send is not permitted now; `message` says which rule stopped it.',
    remedy:
      'Send again only when that rule permits it: with consent, outside quiet hours, below the cap, inside the WhatsApp window, in other words than the spam scan stopped.',
  },
  rate_limited: {
    status: 429,
    condition:
      'The key’s request limit is used up; without a key, that of the client address or of the checkout session.',
    remedy:
      'Wait until `X-RateLimit-Reset`, or as long as `Retry-After` says, then retry with exponential backoff and jitter.',
    isTransient: true,
  },
  internal_error: {
    status: 500,
    condition: 'A fault of ours.',
    remedy:
      'Retry with exponential backoff and jitter; on writes with the same Idempotency-Key, so that nothing happens twice.',
    isTransient: true,
  },
  bad_request: {
    status: 400,
    condition: 'The checkout’s word for `invalid_request`: the body failed validation; `message` names each field.',
    remedy: 'Correct those fields and send again.',
  },
  session_not_found: {
    status: 404,
    condition: 'There is no such checkout session.',
    remedy: 'Check the id; it is the `id` of the session’s creation.',
  },
  session_not_open: {
    status: 409,
    condition: 'The checkout session is completed or expired, or has used up its ten payments.',
    remedy: 'Create a new session.',
  },
  payment_in_progress: {
    status: 409,
    condition: 'Another payment of this checkout session is under way, perhaps in another tab.',
    remedy: 'Wait for it to end, or cancel it on the page.',
    isTransient: true,
  },
  payment_not_refundable: {
    status: 409,
    condition: 'The payment has not succeeded, or less is left of it than the refund asks for.',
    remedy: 'Refund at most what is left of a payment that has succeeded.',
  },
  unsupported_currency: {
    status: 422,
    condition: 'The currency is not enabled for the merchant.',
    remedy: 'Send `BDT`.',
  },
  method_unavailable: {
    status: 422,
    condition: 'The method is not one of the session’s `eligibleMethods`, or its gateway cannot be used now.',
    remedy: 'Choose one of `eligibleMethods`.',
  },
};

/** Where the docs explain a code: a path on the host that answered. */
export const docsUrlOf = (code: FaultCode): string => `/docs/errors#${code}`;
