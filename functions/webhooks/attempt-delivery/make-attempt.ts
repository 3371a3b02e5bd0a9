import * as z from 'zod';
import { parseForeign } from '../../../shared/kit/json-pointer.ts';
import { log } from '../../../shared/kit/log.ts';
import { metered } from '../../../shared/kit/metrics.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { WebhookTarget } from '../../../shared/providers/webhook/webhook-target.ts';
import type { Loaded } from '../../../shared/table/webhooks/attempt-store.ts';
import { type Attempt, isSuccess } from '../../../shared/webhooks/delivery.ts';
import { checkoutDeliveryHeaders, deliveryHeaders } from '../../../shared/webhooks/signature.ts';

/** Calls the target of a delivery, signed with the secrets and the time of this moment. */
export const makeAttempt = async (
  webhookTarget: WebhookTarget,
  { target: { url, secret, earlier, api }, delivery }: Loaded,
  body: string,
  clock: Clock,
): Promise<Attempt> => {
  const startedMs = clock();
  const { event, eventId = '', sequence } = delivery;
  const stillValid = earlier.filter(({ validUntilMs }) => startedMs < validUntilMs);
  const secrets = [secret, ...stillValid.map((each) => each.secret)] as const;
  const signed = { event, secrets, body, sequence };
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
    ...metered({ attempts: 1, webhookLag: lagOf(delivery, body, startedMs) }, outcomeOf(attempt)),
  });
  return attempt;
};

const sentMessage = z.object({
  data: z.object({ message: z.object({ createdAt: z.string(), scheduledAt: z.string().optional() }) }),
});

/** Events that are older were replayed to a subscription. */
const mostLagMs = 3_600_000;

/** How long after the acceptance of a message its first event was first delivered. */
const lagOf = ({ event, attemptsMade }: Loaded['delivery'], body: string, startedMs: number): number[] => {
  if (event !== 'message.sent' || attemptsMade > 0) return [];
  const { data } = sentMessage.safeParse(parseForeign(body));
  const { createdAt = '', scheduledAt = createdAt } = data?.data.message ?? {};
  return [startedMs - Date.parse(scheduledAt)].filter((lagMs) => lagMs < mostLagMs);
};

const outcomeOf = (attempt: Pick<Attempt, 'statusCode'>): 'succeeded' | 'refused' | 'unanswered' => {
  if (isSuccess(attempt)) return 'succeeded';
  return attempt.statusCode === 0 ? 'unanswered' : 'refused';
};
