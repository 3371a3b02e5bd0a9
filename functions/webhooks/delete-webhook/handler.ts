import type { Queue } from '../../../shared/aws/queue.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { deleteSubscription } from '../../../shared/webhooks/deletion.ts';
import type { DeletionJob } from '../../../shared/webhooks/jobs.ts';
import type { deleteWebhookContract } from './contract.ts';

export interface DeleteWebhookNeeds {
  readonly webhooks: Pick<WebhookStore, 'find' | 'remove'>;
  readonly deletedWebhooksQueue: Queue<DeletionJob>;
}

/** Deletes a subscription of the account, and has its logs deleted. */
export const deleteWebhook =
  ({ webhooks, deletedWebhooksQueue }: DeleteWebhookNeeds) =>
  async ({ account, path }: Input<typeof deleteWebhookContract>): Promise<Reply<typeof deleteWebhookContract>> => {
    existing('webhook_not_found', await webhooks.find(account, path.id));
    await deleteSubscription({ webhooks, deletedWebhooksQueue }, account, path.id);
  };
