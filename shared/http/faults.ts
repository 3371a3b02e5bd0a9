import type { FaultCode } from '../kit/fault.ts';

export interface FaultEntry {
  readonly status: number;
  /** When the messaging API, or the only API with this code, returns it. CommonMark. */
  readonly condition: string;
  /** When the checkout API returns it, where that is another reason. */
  readonly onCheckout?: string;
  /** When the admin API returns it, where that is another reason. */
  readonly onAdmin?: string;
  /** How to fix it, wherever it came from. CommonMark. */
  readonly remedy: string;
  /** The same request, unchanged, may succeed later. */
  readonly isTransient?: true;
}

/** The codes of both specifications (messaging, "Codes"; checkout, "Errors"). The errors page of the docs is generated from it. */
export const faults: Readonly<Record<FaultCode, FaultEntry>> = {
  invalid_request: {
    status: 400,
    condition:
      'The body or the query failed validation; `message` names each field. Also an Idempotency-Key of more than 255 characters.',
    remedy: 'Correct what `message` names, then send again.',
  },
  invalid_recipient: {
    status: 400,
    condition: '`to` is not a valid address for the channel.',
    remedy: 'On email, send an email address. On sms and whatsapp, send a phone number in E.164 format.',
  },
  invalid_attachment: {
    status: 400,
    condition:
      'An attachment was sent on sms or whatsapp, its `content` is not valid base64, or Amazon SES does not send files of its type, such as `.exe`.',
    remedy: 'Send attachments on email only, with their `content` in base64. Send a link to a file that is not sent.',
  },
  attachment_too_large: {
    status: 400,
    condition: 'The attachments decode to more than 7 MB in total.',
    remedy: 'Attach fewer or smaller files, or send links to them.',
  },
  unauthorized: {
    status: 401,
    condition: 'The API key is missing, malformed, unknown or revoked.',
    onCheckout: 'The checkout key is missing, malformed, unknown or revoked, or its account is frozen.',
    onAdmin: 'The operator token or the session is missing, malformed, unknown or expired.',
    remedy:
      'Send a valid key in `X-API-Key`, or in `Authorization` after `ApiKey` or `Bearer`. To the checkout API, send a checkout key of an active account in `Authorization` after `Bearer`; to the admin API, an operator token. In the dashboard, sign in again.',
  },
  insufficient_credits: {
    status: 402,
    condition: 'The account does not have enough credits for the send. Nothing was sent.',
    remedy: 'Add credits, then send again. You can reuse the Idempotency-Key.',
  },
  forbidden_scope: {
    status: 403,
    condition: 'The key does not have the scope of this endpoint.',
    onCheckout:
      'A publishable key was used for something other than creating a session, or from an origin that it does not allow.',
    onAdmin: 'The caller’s role does not allow it, the account is frozen, or a page of another site made the call.',
    remedy:
      'Use a key with the scope that `message` names. On the checkout API, use a secret key on your server, or create a publishable key that allows the origin. On the admin API, ask a person with the role that `message` names or, for a frozen account, an operator.',
  },
  template_not_found: {
    status: 404,
    condition:
      'The account has no template with this id. On a send, also: the template is inactive, or belongs to another channel.',
    remedy:
      'Check the id; a template’s name is not accepted. For a send, use the id of an active template of the same channel.',
  },
  contact_not_found: {
    status: 404,
    condition: 'The account has no contact with this id.',
    remedy: 'Check the id. A retired contact cannot be found.',
  },
  message_not_found: {
    status: 404,
    condition: 'The account has no message with this id.',
    remedy: 'Check the id, and use a key of the account that sent the message.',
  },
  webhook_not_found: {
    status: 404,
    condition: 'The account has no webhook subscription with this id.',
    remedy: 'Check the id. A deleted subscription cannot be found.',
  },
  not_found: {
    status: 404,
    condition:
      'No endpoint has this path and method, or the account has no import or export with this id, or no suppression of this address. Imports and exports are kept for 7 days.',
    onAdmin:
      'No endpoint has this path and method, or no member, operator, operator token or session of yours has this id.',
    remedy: 'Check the path and the method, then the id or the address.',
  },
  conflict: {
    status: 409,
    condition:
      'Another contact has this email or phone; a retired contact keeps its email. Or the template is a whatsapp template, which is read-only here. Or the message was sent without `sendAt`, or its sending has begun.',
    onCheckout:
      'The refund is larger than the amount that can still be refunded, which is 0 until the payment has succeeded.',
    onAdmin:
      'Another account has this sms sender, a credit counter would leave its range, the payment is not held for review or cannot complete its session, the refund has been settled or its gateway is still being asked, the person is a member or an operator already, or is the last owner or operator.',
    remedy:
      'Read `message`: it names the field or the rule. For a contact, update the contact that has the email or phone, or send another email or phone. A message can be changed or cancelled only while it waits for its `sendAt`. On the checkout API, refund at most the amount that `message` names. On the admin API, get the account, its members, its credits, the payment or the refund, then send a request that fits.',
  },
  idempotency_conflict: {
    status: 409,
    condition:
      'A request with this Idempotency-Key is in progress, or the key was used on another endpoint or, after a 5xx, for other rows of a batch.',
    remedy:
      'Wait for the response to the first request, then retry. On another endpoint, and for other rows, use a new key.',
    isTransient: true,
  },
  send_blocked: {
    status: 422,
    condition: 'A rule blocks the send; `message` names the rule.',
    remedy:
      'Send again only when that rule allows it: with consent, outside quiet hours, below the frequency cap, inside the WhatsApp window, or with content that passes the spam scan. If the account is frozen or the contact is quarantined, ask the operator. A retired contact cannot be messaged, and a suppressed address not before it is removed from the list of suppressions.',
  },
  rate_limited: {
    status: 429,
    condition:
      'The request limit of the key is reached, or that of the account: of webhook tests a minute, imports or exports an hour, or replayed deliveries a day.',
    onCheckout:
      'The request limit of the key is reached; with a publishable key or none, also that of the client address; without a key, that of the checkout session.',
    onAdmin:
      'The caller has got too many keys of the public APIs, or their client address has made too many changes with sessions of the dashboard.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry with exponential backoff and jitter.',
    isTransient: true,
  },
  internal_error: {
    status: 500,
    condition:
      'Unexpected server error. With status 503, the service is temporarily unavailable, and `Retry-After` says when to retry.',
    remedy:
      'Retry with exponential backoff and jitter. Retry a write with its original Idempotency-Key, so that it takes effect once. A write without a key may have taken effect: read the resource before you retry.',
    isTransient: true,
  },
  bad_request: {
    status: 400,
    condition:
      'The body or the query failed validation; `message` names each field. (The messaging API calls this `invalid_request`.)',
    remedy: 'Correct what `message` names, then send again.',
  },
  session_not_found: {
    status: 404,
    condition: 'No checkout session has this id. With a key: none of the key’s account and mode.',
    onAdmin: 'No checkout session in test mode has this id.',
    remedy: 'Check the id. It is the `id` in the response that created the session.',
  },
  session_not_open: {
    status: 409,
    condition:
      'The checkout session is completed or expired. A new payment is also refused when the session has had its maximum of ten payments, or its time is over and it only waits for the payment that is in progress.',
    remedy:
      'Read the session. `COMPLETED`: it is paid, so create no other session for the order. `EXPIRED`: to take a payment, create a new one. `OPEN`: `message` says why it takes no more payments; expire it, and create a new one once it is `EXPIRED`.',
  },
  payment_in_progress: {
    status: 409,
    condition: 'Another payment of this checkout session is in progress, perhaps in another tab.',
    remedy: 'Wait until it ends, or cancel it on the page.',
    isTransient: true,
  },
  payment_not_refundable: {
    status: 409,
    condition: 'The payment has not succeeded, or the refund is larger than the amount that can still be refunded.',
    remedy: 'Refund a succeeded payment, by at most the amount that can still be refunded.',
  },
  unsupported_currency: {
    status: 422,
    condition: 'The currency is not enabled for the merchant.',
    remedy: 'Send `BDT`.',
  },
  method_unavailable: {
    status: 422,
    condition:
      'The method is not one of the session’s `eligibleMethods`, its gateway cannot be used now, or the account is frozen.',
    remedy: 'Choose another one of `eligibleMethods`.',
  },
  account_not_found: {
    status: 404,
    condition: 'No account has this id.',
    remedy: 'Check the id. It is the `id` in the response that created the account.',
  },
  api_key_not_found: {
    status: 404,
    condition: 'No API key has this id.',
    remedy: 'Check the id: it is the `id` in the list of the account’s keys, not the key.',
  },
  checkout_key_not_found: {
    status: 404,
    condition: 'No checkout key has this id.',
    remedy: 'Check the id: it is the `id` in the list of the account’s checkout keys, not the key.',
  },
  payment_not_found: {
    status: 404,
    condition: 'No payment has this id. With a key: none of the key’s account and mode.',
    remedy: 'Check the id. It is the `paymentId` of the events and the `id` in the list of the account’s payments.',
  },
  refund_not_found: {
    status: 404,
    condition: 'No refund of the key’s account and mode has this id.',
    onAdmin: 'The payment has no refund with this id.',
    remedy: 'Check the id, and use a key of the mode that the payment was made in.',
  },
  delivery_not_found: {
    status: 404,
    condition: 'The webhook subscription has no delivery with this id that can be resent.',
    remedy: 'Check the id. Deliveries are kept for 30 days. A test delivery cannot be resent.',
  },
  upstream_unavailable: {
    status: 502,
    condition: 'Admin API only: an external service, which `message` names, cannot be reached or has failed.',
    remedy: 'Send the request again later.',
    isTransient: true,
  },
};
