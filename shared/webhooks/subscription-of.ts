import type { AccountRef } from '../kit/account-ref.ts';
import { Fault } from '../kit/fault.ts';
import { existing } from '../kit/not-found.ts';

interface Lookups<Webhook> {
  readonly accounts: { find(id: string): Promise<{ readonly ref: AccountRef } | undefined> };
  readonly webhooks: { find(account: AccountRef, id: string): Promise<Webhook | undefined> };
}

/** The path of an endpoint of one subscription. */
interface SubscriptionPath {
  /** Of the account. */
  readonly id: string;
  readonly webhookId: string;
}

/**
 * A subscription that a caller of the admin API names by its account and its id.
 * @throws Fault `account_not_found` or `webhook_not_found`
 */
export const subscriptionOf = async <Webhook extends object>(
  { accounts, webhooks }: Lookups<Webhook>,
  { id, webhookId }: SubscriptionPath,
): Promise<{ readonly account: AccountRef; readonly webhook: Webhook }> => {
  const { ref: account } = existing('account_not_found', await accounts.find(id));
  return { account, webhook: existing('webhook_not_found', await webhooks.find(account, webhookId)) };
};

/**
 * A subscription that can be delivered to, by its account and its id.
 * @throws Fault `account_not_found`, `webhook_not_found`, or `invalid_request` where it is paused
 */
export const activeSubscriptionOf = async <Webhook extends { readonly isActive: boolean }>(
  lookups: Lookups<Webhook>,
  path: SubscriptionPath,
): Promise<{ readonly account: AccountRef; readonly webhook: Webhook }> => {
  const found = await subscriptionOf(lookups, path);
  if (found.webhook.isActive) return found;
  throw new Fault('invalid_request', 'webhookId: is paused; resume the subscription first');
};
