import type { CallbackOutcome, CallbackRequest } from '../../../shared/http/callback.ts';
import { isSameText } from '../../../shared/kit/same-text.ts';
import type { FindMetaSettings } from '../../../shared/messages/text-settings.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';

export interface ConfirmWhatsappWebhookNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly whatsappSettings: FindMetaSettings;
}

/** Meta verifies this URL before it sends callbacks to it: a request with the account's verify token gets its challenge back. */
export const confirmWhatsappWebhook =
  ({ accounts, whatsappSettings }: ConfirmWhatsappWebhookNeeds) =>
  async ({ path, query }: CallbackRequest): Promise<CallbackOutcome> => {
    const account = await accounts.find(path['account'] ?? '');
    const settings = account && whatsappSettings(account);
    if (!settings) return 'unknown';
    const isWanted =
      query['hub.mode'] === 'subscribe' && isSameText(query['hub.verify_token'] ?? '', settings.verifyToken);
    return isWanted ? { answer: query['hub.challenge'] ?? '' } : 'forbidden';
  };
