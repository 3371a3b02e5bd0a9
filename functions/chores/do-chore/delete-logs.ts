import type { Queue } from '../../../shared/aws/queue.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { DeliveryStore } from '../../../shared/table/webhooks/delivery-store.ts';
import type { EventStore } from '../../../shared/table/webhooks/event-store.ts';
import type { PaceStore } from '../../../shared/table/webhooks/pace-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { DeletionJob } from '../../../shared/webhooks/jobs.ts';

export interface DeleteLogsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'removeBatch'>;
  readonly paces: Pick<PaceStore, 'forget'>;
  readonly events: Pick<EventStore, 'forget'>;
  readonly checkoutEvents: Pick<EventStore, 'forget'>;
  readonly deletedWebhooksQueue: Queue<DeletionJob>;
}

/** Deletes the remaining items of a deleted subscription, in parts. */
export const deleteLogs =
  ({ accounts, webhooks, deliveries, paces, events, checkoutEvents, deletedWebhooksQueue }: DeleteLogsNeeds) =>
  async (job: DeletionJob): Promise<void> => {
    const account = await accounts.find(job.account);
    if (!account || (await webhooks.find(account.ref, job.webhook))) return;
    await Promise.all([
      paces.forget(job.webhook),
      events.forget(job.account, job.webhook),
      checkoutEvents.forget(job.account, job.webhook),
    ]);
    if (await deliveries.removeBatch(job.webhook)) await deletedWebhooksQueue.send([job]);
  };
