import type { AccountRef } from '../kit/account-ref.ts';
import type { DeletionJob } from './jobs.ts';

interface Needs {
  readonly webhooks: { remove(account: AccountRef, id: string): Promise<void> };
  readonly deletedWebhooksQueue: {
    send(jobs: readonly DeletionJob[], options: { readonly delaySeconds: number }): Promise<void>;
  };
}

/** How long the deletion of a subscription's log waits: no request can still be at work then that saw the subscription. */
const delaySeconds = 60;

/**
 * Deletes a subscription, and has its logs deleted, which may be many and are invisible without it. That job is queued first,
 * so that it cannot be missed, and does nothing where the subscription is still there.
 */
export const deleteSubscription = async (
  { webhooks, deletedWebhooksQueue }: Needs,
  account: AccountRef,
  webhook: string,
): Promise<void> => {
  await deletedWebhooksQueue.send([{ account: account.id, webhook }], { delaySeconds });
  await webhooks.remove(account, webhook);
};
