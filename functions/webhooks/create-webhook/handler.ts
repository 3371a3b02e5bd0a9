import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { WebhookStore } from '../../../shared/table/webhooks/webhook-store.ts';
import { makeSecret } from '../../../shared/webhooks/webhook.ts';
import type { createWebhookContract } from './contract.ts';

export interface CreateWebhookNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly webhooks: Pick<WebhookStore, 'create'>;
}

/** Subscribes a url. Events that happen from now on are delivered to it, unless it begins paused. */
export const createWebhook =
  ({ accounts, webhooks }: CreateWebhookNeeds) =>
  async ({
    account,
    body,
    newId,
  }: Input<typeof createWebhookContract>): Promise<Reply<typeof createWebhookContract>> => {
    const most = (await accounts.find(account.id))?.webhooks.maxSubscriptions ?? 0;
    const secret = makeSecret();
    return { webhook: await webhooks.create(account, newId, body, { secret, most }), secret };
  };
