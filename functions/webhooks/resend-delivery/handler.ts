import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import { resending } from '../../../shared/webhooks/resend.ts';
import type { resendDeliveryContract } from './contract.ts';

export interface ResendDeliveryNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'findProgress' | 'listProgress' | 'saveNewRound'>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
}

/** Begins a new round of attempts at once. A repetition before the first attempt ensures that it is queued. */
export const resendDelivery =
  ({ accounts, webhooks, deliveries, webhookDeliveriesQueue }: ResendDeliveryNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof resendDeliveryContract>): Promise<Reply<typeof resendDeliveryContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    const webhook = existing('webhook_not_found', await webhooks.find(account.ref, path.webhookId));
    if (!webhook.isActive) throw new Fault('invalid_request', 'webhookId: is paused; resume the subscription first');
    const job = existing(
      'delivery_not_found',
      await resending({ deliveries }).resend(account.ref.id, webhook, path.deliveryId, nowMs),
    );
    await webhookDeliveriesQueue.send([job]);
    return { id: job.delivery, attempt: job.attempt };
  };
