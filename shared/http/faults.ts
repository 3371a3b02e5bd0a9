import type { FaultCode } from '../kit/fault.ts';

export interface FaultEntry {
  readonly status: number;
  /** When a caller of the messaging API, or of the one API that has this code, gets it. CommonMark. */
  readonly condition: string;
  /** When callers of other APIs get it too. CommonMark. */
  readonly elsewhere?: string;
  /** How to fix it, wherever it came from. CommonMark. */
  readonly remedy: string;
  /** The same request, unchanged, may succeed later. */
  readonly isTransient?: true;
}

/** The Codes tables of the specifications. The errors page of the docs is printed from it. */
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
      'Send a valid key in `X-API-Key`, or in `Authorization` after `ApiKey` or `Bearer`; to the checkout API, a checkout key after `Bearer`.',
  },
  insufficient_credits: {
    status: 402,
    condition: 'The channel’s credit counter cannot cover the send. Nothing was sent.',
    remedy: 'Add credits, then send again. The same Idempotency-Key may be used.',
  },
  forbidden_scope: {
    status: 403,
    condition: 'The key lacks the scope of this endpoint.',
    elsewhere:
      'On the checkout API: a publishable key was used for something other than creating a session, or from an origin that it does not allow.',
    remedy: 'Use a key that has the scope, which `message` names; for a publishable key, add the origin to the key.',
  },
  template_not_found: {
    status: 404,
    condition:
      'The account has no such template. On a send, also: the template is inactive, or belongs to another channel.',
    remedy:
      'Check the id; a template’s name is not accepted. For a send, use the id of an active template of the same channel.',
  },
  contact_not_found: {
    status: 404,
    condition: 'The account has no such contact.',
    remedy: 'Check the id. A deleted contact cannot be found.',
  },
  message_not_found: {
    status: 404,
    condition: 'The account has no such message.',
    remedy: 'Check the id, and that the key belongs to the account of the message.',
  },
  webhook_not_found: {
    status: 404,
    condition: 'The account has no such webhook subscription.',
    remedy: 'Check the id. A deleted subscription cannot be found.',
  },
  not_found: {
    status: 404,
    condition: 'No endpoint has this path and method.',
    remedy: 'Check the path and the method.',
  },
  conflict: {
    status: 409,
    condition: 'Another contact has this email or phone. A deleted contact keeps its email.',
    elsewhere:
      'On the admin API: another account has this sms sender, a credit counter would leave its range, or the payment is not held for review.',
    remedy:
      'Read `message`: it names the field or the rule. For a contact, update the one that has the email or phone, or send another one. On the admin API, read the account, its credits or the payment, then send a request that fits.',
  },
  idempotency_conflict: {
    status: 409,
    condition: 'The Idempotency-Key is in flight, or was used on another endpoint.',
    remedy: 'Wait until the first request is answered, then repeat it. On another endpoint, use a new key.',
    isTransient: true,
  },
  send_blocked: {
    status: 422,
    condition: 'A rule blocks the send now; `message` names the rule.',
    remedy:
      'Send again only when that rule permits it: with consent, outside quiet hours, below the frequency cap, inside the WhatsApp window, or with content that passes the spam scan.',
  },
  rate_limited: {
    status: 429,
    condition: 'The key’s request limit is used up.',
    elsewhere: 'Without a key: the request limit of the client address or of the checkout session is used up.',
    remedy:
      'Wait until `X-RateLimit-Reset`, or for the number of seconds in `Retry-After`, then retry with exponential backoff and jitter.',
    isTransient: true,
  },
  internal_error: {
    status: 500,
    condition:
      'Unexpected server error; with status 503, the service is overloaded and `Retry-After` says when to retry.',
    remedy:
      'Retry with exponential backoff and jitter. Retry a write with its original Idempotency-Key, so that it takes effect once. A write without a key may have taken effect: read first, then decide.',
    isTransient: true,
  },
  bad_request: {
    status: 400,
    condition:
      'The body failed validation; `message` names each field. (The messaging API calls this `invalid_request`.)',
    remedy: 'Correct those fields and send again.',
  },
  session_not_found: {
    status: 404,
    condition: 'There is no such checkout session.',
    elsewhere: 'On the admin API: the session is not of test mode.',
    remedy: 'Check the id. It is the `id` in the response that created the session.',
  },
  session_not_open: {
    status: 409,
    condition: 'The checkout session is completed or expired, or has had its maximum of ten payments.',
    remedy: 'Create a new session.',
  },
  payment_in_progress: {
    status: 409,
    condition: 'Another payment of this checkout session is in progress, perhaps in another tab.',
    remedy: 'Wait until it ends, or cancel it on the page.',
    isTransient: true,
  },
  payment_not_refundable: {
    status: 409,
    condition: 'The payment has not succeeded, or the refund is larger than what has not been refunded yet.',
    remedy: 'Refund a succeeded payment, up to the amount that has not been refunded yet.',
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
  account_not_found: {
    status: 404,
    condition: 'There is no such account.',
    remedy: 'Check the id. It is the `id` in the response that created the account.',
  },
  api_key_not_found: {
    status: 404,
    condition: 'There is no such API key.',
    remedy: 'Check the id: it is the `id` in the list of the account’s keys, not the key.',
  },
  checkout_key_not_found: {
    status: 404,
    condition: 'There is no such checkout key.',
    remedy: 'Check the id: it is the `id` in the list of the account’s checkout keys, not the key.',
  },
  payment_not_found: {
    status: 404,
    condition: 'There is no such payment.',
    remedy: 'Check the id. It is the `paymentId` of the events and the `id` in the list of the account’s payments.',
  },
  delivery_not_found: {
    status: 404,
    condition: 'The webhook subscription has no such delivery of an event.',
    remedy: 'Check the id. Deliveries are kept for 30 days, and a test delivery cannot be sent again.',
  },
  upstream_unavailable: {
    status: 502,
    condition: 'Admin API only: another company’s service, which the message names, cannot be reached or failed.',
    remedy: 'Send the request again later.',
    isTransient: true,
  },
};

/** Where the docs explain a code: a path on the host that answered. */
export const docsUrlOf = (code: FaultCode): string => `/docs/errors#${code}`;
