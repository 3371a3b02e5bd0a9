import type { InboundReceiver } from '../../../shared/compliance/inbound-receiver.ts';
import type { CallbackOutcome, CallbackRequest } from '../../../shared/http/callback.ts';
import { log } from '../../../shared/kit/log.ts';
import type { InboundTokens } from '../../../shared/messages/callback-urls.ts';
import type { FindSmsSettings } from '../../../shared/messages/text-settings.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import { inboundSmsIn } from './inbound-sms.ts';

export interface ReceiveInboundSmsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly inboundTokens: InboundTokens;
  readonly smsSettings: FindSmsSettings;
  readonly inboundReceiver: InboundReceiver;
}

/** Receives an inbound sms from the account's own gateway, by the URL that only its gateways were given: this one, and those before it. */
export const receiveInboundSms =
  ({ accounts, inboundTokens, smsSettings, inboundReceiver }: ReceiveInboundSmsNeeds) =>
  async ({ path, document, nowMs }: CallbackRequest): Promise<CallbackOutcome> => {
    const account = await accounts.find(path['account'] ?? '');
    const isGenuine = account && (await inboundTokens.isGenuine(account, path['token'] ?? '', nowMs));
    if (!account || !isGenuine) return 'unknown';
    const settings = smsSettings(account);
    const current = settings?.kind === 'http' && settings.inbound ? [settings.inbound] : [];
    const inbound = [...current, ...(account.sms.earlierInbound ?? [])]
      .map((pointers) => inboundSmsIn(document(), pointers, nowMs))
      .find((read) => read !== undefined);
    if (inbound) await inboundReceiver.receive(account.ref, inbound);
    // Its sender is not international, or no gateway of the account's settings writes so, and a STOP of theirs has no effect.
    log(inbound ? 'info' : 'warn', 'inbound sms', { accountId: account.id, isRead: inbound !== undefined });
    return 'heard';
  };
