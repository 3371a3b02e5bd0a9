import { createHmac } from 'node:crypto';

export interface Signed {
  readonly event: string;
  readonly secret: string;
  /** The raw body, as it goes over the wire. */
  readonly body: string;
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text);

const userAgent = 'Service-Webhooks/1.0';

/** The headers of every delivery (messaging specification, "Delivery headers"). */
const plainHeaders = (event: string) => ({
  'Content-Type': 'application/json',
  'User-Agent': userAgent,
  'X-Service-Event': event,
  'X-Webhook-Event': event,
});

/** The headers of a checkout's delivery (checkout specification, "Request headers"). */
export const checkoutDeliveryHeaders = (
  { event, secret, body }: Signed,
  deliveryId: string,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  'User-Agent': userAgent,
  'X-Checkout-Event': event,
  'X-Checkout-Signature': `sha256=${hmac(secret, body).digest('hex')}`,
  'X-Checkout-Delivery': deliveryId,
});

/** The headers of a test delivery, which is signed in the legacy way alone. */
export const testHeaders = ({ event, secret, body }: Signed): Record<string, string> => ({
  ...plainHeaders(event),
  'X-Webhook-Signature': hmac(secret, body).digest('hex'),
});

/**
 * The headers of a delivery: ours, the legacy ones, and those of Standard Webhooks. All are keyed with the secret as it was shown, its 48
 * characters as bytes; a Standard Webhooks library therefore takes `whsec_` and the base64 of those characters.
 */
export const deliveryHeaders = (
  { event, secret, body }: Signed,
  eventId: string,
  nowSeconds: number,
): Record<string, string> => ({
  ...testHeaders({ event, secret, body }),
  'X-Service-Signature': `t=${nowSeconds},v1=${hmac(secret, `${nowSeconds}.${body}`).digest('hex')}`,
  'webhook-id': eventId,
  'webhook-timestamp': String(nowSeconds),
  'webhook-signature': `v1,${hmac(secret, `${eventId}.${nowSeconds}.${body}`).digest('base64')}`,
});
