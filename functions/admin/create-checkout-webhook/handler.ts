import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { makeSecret } from '../../../shared/webhooks/webhook.ts';
import type { createCheckoutWebhookContract } from './contract.ts';

export interface CreateCheckoutWebhookNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly checkoutWebhooks: Pick<WebhookStore, 'create'>;
  /** The local stack's merchants are on this machine, without TLS. */
  readonly allowsHttp: boolean;
}

/** Subscribes a merchant's URL to later events of its checkout, in both modes. */
export const createCheckoutWebhook =
  ({ accounts, checkoutWebhooks, allowsHttp }: CreateCheckoutWebhookNeeds) =>
  async ({
    path,
    body,
    newId,
  }: RequestOf<typeof createCheckoutWebhookContract>): Promise<Reply<typeof createCheckoutWebhookContract>> => {
    if (!allowsHttp && new URL(body.url).protocol !== 'https:')
      throw new Fault('invalid_request', 'url: must be an https URL');
    const account = existing('account_not_found', await accounts.find(path.id));
    const secret = makeSecret();
    const most = account.webhooks.maxSubscriptions;
    const webhook = await checkoutWebhooks.create(account.ref, newId, { ...body, isActive: true }, { secret, most });
    return { ...webhook, secret };
  };
