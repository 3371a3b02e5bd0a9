import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { type DeletionJob, deletionDelaySeconds } from '../../../shared/webhooks/jobs.ts';
import type { deleteCheckoutWebhookContract } from './contract.ts';

export interface DeleteCheckoutWebhookNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly checkoutWebhooks: Pick<WebhookStore, 'find' | 'remove'>;
  readonly deletedWebhooksQueue: Queue<DeletionJob>;
}

/** Deletes a subscription; the job that deletes its deliveries is queued first, so that it cannot be missed. */
export const deleteCheckoutWebhook =
  ({ accounts, checkoutWebhooks, deletedWebhooksQueue }: DeleteCheckoutWebhookNeeds) =>
  async ({
    path,
  }: RequestOf<typeof deleteCheckoutWebhookContract>): Promise<Reply<typeof deleteCheckoutWebhookContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    const webhook = existing('webhook_not_found', await checkoutWebhooks.find(account.ref, path.webhookId));
    await deletedWebhooksQueue.send([{ account: account.id, webhook: webhook.id }], {
      delaySeconds: deletionDelaySeconds,
    });
    await checkoutWebhooks.remove(account.ref, webhook.id);
  };
