import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { listWebhooksContract } from './contract.ts';

export interface ListWebhooksNeeds {
  readonly webhooks: Pick<WebhookStore, 'list'>;
}

/** Every subscription of the account. */
export const listWebhooks =
  ({ webhooks }: ListWebhooksNeeds) =>
  ({ account }: Input<typeof listWebhooksContract>): Promise<Reply<typeof listWebhooksContract>> =>
    webhooks.list(account);
