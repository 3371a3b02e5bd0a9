import type { OutcomeRecorder } from '../../../shared/contacts/outcome-recorder.ts';
import { alsoAbout, log } from '../../../shared/kit/log.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import { meaningOf, type SesNotification } from './ses-notification.ts';

export interface ReceiveSesNotificationNeeds {
  readonly accounts: Pick<AccountStore, 'refOf'>;
  readonly outcomeRecorder: Pick<OutcomeRecorder, 'record'>;
}

/** A notification of SES moves its message and its contact. The mail's tags say which message, even where SES's answer to us was lost. */
export const receiveSesNotification =
  ({ accounts, outcomeRecorder }: ReceiveSesNotificationNeeds) =>
  async (notification: SesNotification, nowMs: number): Promise<void> => {
    const { accountId = '', messageId = '' } = notification.mail.tags;
    alsoAbout({ accountId, messageId });
    const meaning = meaningOf(notification);
    const account = meaning && (await accounts.refOf(accountId));
    const atMs = meaning?.trigger === 'providerAccepted' ? takenMs(notification, nowMs) : nowMs;
    const outcome = meaning && { ...meaning, channel: 'email' as const };
    const isRecorded = outcome && account ? await outcomeRecorder.record(account, messageId, outcome, atMs) : false;
    log('info', 'mail event', { eventType: notification.eventType, isRecorded });
  };

/** When SES accepted the mail, by its own clock; the notification may arrive much later. */
const takenMs = ({ mail: { timestamp } }: SesNotification, nowMs: number): number =>
  timestamp === undefined ? nowMs : Math.min(Date.parse(timestamp), nowMs);
