import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import type { listCheckoutWebhooksContract } from './contract.ts';

export interface ListCheckoutWebhooksNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly checkoutWebhooks: Pick<WebhookStore, 'list'>;
}

/** Every checkout subscription of the account, without its secret. */
export const listCheckoutWebhooks =
  ({ accounts, checkoutWebhooks }: ListCheckoutWebhooksNeeds) =>
  async ({
    path,
  }: RequestOf<typeof listCheckoutWebhooksContract>): Promise<Reply<typeof listCheckoutWebhooksContract>> => {
    const account = existing('account_not_found', await accounts.find(path.id));
    return checkoutWebhooks.list(account.ref);
  };
