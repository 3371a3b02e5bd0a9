import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { DeliveryJob } from '../../../shared/webhooks/jobs.ts';
import type { resendDeliveryContract } from './contract.ts';

export interface ResendDeliveryNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'again'>;
  readonly webhookDeliveriesQueue: Queue<DeliveryJob>;
}

/** Begins a new round of attempts at once. Asked again before the first of them, it makes sure that that one is queued. */
export const resendDelivery =
  ({ accounts, webhooks, deliveries, webhookDeliveriesQueue }: ResendDeliveryNeeds) =>
  async ({ path, nowMs }: RequestOf<typeof resendDeliveryContract>): Promise<Reply<typeof resendDeliveryContract>> => {
    const account = await accounts.find(path.id);
    if (!account) throw new Fault('not_found', 'No account has this id.');
    const webhook = await webhooks.find(account.ref, path.webhookId);
    if (!webhook) throw new Fault('webhook_not_found', 'No webhook of the account has this id.');
    if (!webhook.isActive) throw new Fault('invalid_request', 'webhookId: is paused');
    const job = await deliveries.again(account.ref, webhook, path.deliveryId, nowMs);
    if (!job) throw new Fault('not_found', 'No delivery of this webhook that can be resent has this id.');
    await webhookDeliveriesQueue.send([job]);
    return { id: job.delivery, attempt: job.attempt };
  };
