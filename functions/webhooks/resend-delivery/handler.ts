import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { resending } from '../../../shared/webhooks/resend.ts';
import { activeSubscriptionOf } from '../../../shared/webhooks/subscription-of.ts';
import type { resendDeliveryContract } from './contract.ts';

export interface ResendDeliveryNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'findProgress' | 'progressPages' | 'saveNewRound'>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
}

/** Begins a new round of attempts at once. A repetition before the first attempt ensures that it is queued. */
export const resendDelivery =
  ({ accounts, webhooks, deliveries, webhookDeliveriesQueue }: ResendDeliveryNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof resendDeliveryContract>): Promise<Reply<typeof resendDeliveryContract>> => {
    const { account, webhook } = await activeSubscriptionOf({ accounts, webhooks }, path);
    const job = existing(
      'delivery_not_found',
      await resending({ deliveries }).resend(account.id, webhook, path.deliveryId, nowMs),
    );
    await webhookDeliveriesQueue.send([job]);
    return { id: job.delivery, attempt: job.attempt };
  };
