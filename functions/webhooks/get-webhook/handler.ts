import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { getWebhookContract } from './contract.ts';

export interface GetWebhookNeeds {
  readonly webhooks: Pick<WebhookStore, 'find'>;
}

/** One subscription of the account. Another account's is as unknown as none. */
export const getWebhook =
  ({ webhooks }: GetWebhookNeeds) =>
  async ({ account, path }: Input<typeof getWebhookContract>): Promise<Reply<typeof getWebhookContract>> => {
    return existing('webhook_not_found', await webhooks.find(account, path.id));
  };
