import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { listWebhooksContract } from './contract.ts';

export interface ListWebhooksNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'list'>;
}

/** Every messaging subscription of the account, without its secret. */
export const listWebhooks =
  ({ accounts, webhooks }: ListWebhooksNeeds) =>
  async ({ path }: RequestOf<typeof listWebhooksContract>): Promise<Reply<typeof listWebhooksContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    return webhooks.list(account.ref);
  };
