import type { Queue } from '../../../shared/aws/queue.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { deleteSubscription } from '../../../shared/webhooks/deletion.ts';
import type { DeletionJob } from '../../../shared/webhooks/jobs.ts';
import { subscriptionOf } from '../../../shared/webhooks/subscription-of.ts';
import type { deleteCheckoutWebhookContract } from './contract.ts';

export interface DeleteCheckoutWebhookNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly checkoutWebhooks: Pick<WebhookStore, 'find' | 'remove'>;
  readonly deletedWebhooksQueue: Queue<DeletionJob>;
}

/** Deletes a checkout subscription of an account, and has its deliveries deleted. */
export const deleteCheckoutWebhook =
  ({ accounts, checkoutWebhooks: webhooks, deletedWebhooksQueue }: DeleteCheckoutWebhookNeeds) =>
  async ({
    path,
  }: RequestOf<typeof deleteCheckoutWebhookContract>): Promise<Reply<typeof deleteCheckoutWebhookContract>> => {
    const { account, webhook } = await subscriptionOf({ accounts, webhooks }, path);
    await deleteSubscription({ webhooks, deletedWebhooksQueue }, account, webhook.id);
  };
