import type { Queue } from '../../../shared/aws/queue.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { type DeletionJob, deletionDelaySeconds } from '../../../shared/webhooks/jobs.ts';
import type { deleteWebhookContract } from './contract.ts';

export interface DeleteWebhookNeeds {
  readonly webhooks: Pick<WebhookStore, 'find' | 'remove'>;
  readonly deletedWebhooksQueue: Queue<DeletionJob>;
}

/**
 * Deletes a subscription, and has its logs deleted, which may be many and are invisible without it. That job is queued first,
 * so that it cannot be missed, and does nothing where the subscription is still there.
 */
export const deleteWebhook =
  ({ webhooks, deletedWebhooksQueue }: DeleteWebhookNeeds) =>
  async ({ account, path }: Input<typeof deleteWebhookContract>): Promise<Reply<typeof deleteWebhookContract>> => {
    existing('webhook_not_found', await webhooks.find(account, path.id));
    await deletedWebhooksQueue.send([{ account: account.id, webhook: path.id }], {
      delaySeconds: deletionDelaySeconds,
    });
    await webhooks.remove(account, path.id);
  };
