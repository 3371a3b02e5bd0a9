import { log } from '../../../shared/kit/log.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { WebhookTarget } from '../../../shared/providers/webhook/webhook-target.ts';
import type { Loaded } from '../../../shared/table/webhooks/attempt-store.ts';
import type { Attempt } from '../../../shared/webhooks/delivery.ts';
import { checkoutDeliveryHeaders, deliveryHeaders } from '../../../shared/webhooks/signature.ts';

/** Calls the target of a delivery, signed with the secret and the time of this moment. */
export const makeAttempt = async (
  webhookTarget: WebhookTarget,
  { target: { url, secret, previous, api }, delivery }: Loaded,
  body: string,
  clock: Clock,
): Promise<Attempt> => {
  const startedMs = clock();
  const { event, eventId = '', sequence } = delivery;
  const previousSecret = previous && startedMs < previous.validUntilMs ? previous.secret : undefined;
  const signed = { event, secret, previousSecret, body, sequence };
  const headers =
    api === 'checkout'
      ? checkoutDeliveryHeaders(signed, delivery.id)
      : deliveryHeaders(signed, eventId, Math.floor(startedMs / 1_000));
  const attempt = { startedMs, ...(await webhookTarget.post({ url, headers, body })) };
  const { statusCode, responseTime } = attempt;
  log('info', 'delivery attempted', {
    webhookId: delivery.webhookId,
    deliveryId: delivery.id,
    statusCode,
    responseTime,
  });
  return attempt;
};
