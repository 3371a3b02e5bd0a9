import { createHmac } from 'node:crypto';

export interface Signed {
  readonly event: string;
  /** All that are valid: the current one, then those before it. */
  readonly secrets: readonly [string, ...string[]];
  /** The raw body, as it goes over the wire. */
  readonly body: string;
  /** The number of the event for its subscription; 0 where it has none. */
  readonly sequence: number;
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text);

/** Of both APIs, because a receiver that looks for gaps is the same for both. */
const sequenceHeader = 'X-Service-Sequence';

/** The specification's, on every delivery of both APIs. */
export const userAgent = 'Service-Webhooks/1.0';

/** The headers of every delivery (messaging specification, "Delivery headers"). */
const plainHeaders = ({ event, sequence }: Signed) => ({
  'Content-Type': 'application/json',
  'User-Agent': userAgent,
  'X-Service-Event': event,
  'X-Webhook-Event': event,
  [sequenceHeader]: String(sequence),
});

/** The headers of a checkout's delivery (checkout specification, "Request headers"). */
export const checkoutDeliveryHeaders = (
  { event, secrets: [secret], body, sequence }: Signed,
  deliveryId: string,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': userAgent,
  'X-Checkout-Event': event,
  'X-Checkout-Signature': `sha256=${hmac(secret, body).digest('hex')}`,
  'X-Checkout-Delivery': deliveryId,
  [sequenceHeader]: String(sequence),
});

/** The headers of a test delivery, which is signed in the legacy way alone. */
export const testHeaders = (signed: Signed): Record<string, string> => ({
  ...plainHeaders(signed),
  'X-Webhook-Signature': hmac(signed.secrets[0], signed.body).digest('hex'),
});

/**
 * The headers of a delivery: ours, the legacy ones, and those of Standard Webhooks. All are keyed with the secret as it was shown, its 48
 * characters as bytes; a Standard Webhooks library therefore takes `whsec_` and the base64 of those characters. After a rotation, ours and
 * those of Standard Webhooks carry a signature with each secret that is valid; the legacy one has room for one only.
 */
export const deliveryHeaders = (signed: Signed, eventId: string, nowSeconds: number): Record<string, string> => ({
  ...testHeaders(signed),
  'X-Service-Signature': [
    `t=${nowSeconds}`,
    ...signaturesOf(signed, `${nowSeconds}.`, 'hex').map((v1) => `v1=${v1}`),
  ].join(),
  'webhook-id': eventId,
  'webhook-timestamp': String(nowSeconds),
  'webhook-signature': signaturesOf(signed, `${eventId}.${nowSeconds}.`, 'base64')
    .map((v1) => `v1,${v1}`)
    .join(' '),
});

const signaturesOf = ({ secrets, body }: Signed, before: string, encoding: 'hex' | 'base64'): string[] =>
  secrets.map((secret) => hmac(secret, before + body).digest(encoding));
