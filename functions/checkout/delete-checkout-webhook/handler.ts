import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
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
    const account = await accounts.find(path.id);
    if (!account) throw new Fault('not_found', 'No account has this id.');
    const webhook = await checkoutWebhooks.find(account.ref, path.webhookId);
    if (!webhook) throw new Fault('webhook_not_found', 'No checkout webhook of the account has this id.');
    await deletedWebhooksQueue.send([{ account: account.id, webhook: webhook.id }], {
      delaySeconds: deletionDelaySeconds,
    });
    await checkoutWebhooks.remove(account.ref, webhook.id);
  };
