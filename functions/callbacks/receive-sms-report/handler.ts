import type { OutcomeRecorder } from '../../../shared/contacts/outcome-recorder.ts';
import type { CallbackOutcome, CallbackRequest } from '../../../shared/http/callback.ts';
import { alsoAbout, log } from '../../../shared/kit/log.ts';
import type { MessageTokens } from '../../../shared/messages/message-link.ts';
import { reportedIn } from '../../../shared/messages/sms-report.ts';
import type { FindSmsSettings } from '../../../shared/messages/text-settings.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';

export interface ReceiveSmsReportNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly messageTokens: MessageTokens;
  readonly smsSettings: FindSmsSettings;
  readonly outcomeRecorder: Pick<OutcomeRecorder, 'record'>;
}

/** A report of an sms gateway moves the message whose own URL was called, and its contact. Only the gateway was given that URL. */
export const receiveSmsReport =
  ({ accounts, messageTokens, smsSettings, outcomeRecorder }: ReceiveSmsReportNeeds) =>
  async ({ path: { token = '' }, document, nowMs }: CallbackRequest): Promise<CallbackOutcome> => {
    const account = await accounts.find(messageTokens.accountIn(token) ?? '');
    const messageId = account && (await messageTokens.messageIn('sms-report', account.ref, token));
    if (!account || !messageId) return 'unknown';
    alsoAbout({ messageId });
    const settings = smsSettings(account);
    const signs = settings?.kind === 'http' ? settings.report : undefined;
    const reported = signs && reportedIn(document(), signs);
    const outcome = reported && { ...reported, channel: 'sms' as const };
    const isRecorded = outcome ? await outcomeRecorder.record(account.ref, messageId, outcome, nowMs) : false;
    log('info', 'sms report', { trigger: reported?.trigger, isRecorded });
    return 'heard';
  };
