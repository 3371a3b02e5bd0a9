import { accountOfJob } from '../../../shared/accounts/job-account.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import { ComesBack } from '../../../shared/kit/comes-back.ts';
import { log } from '../../../shared/kit/log.ts';
import { failures } from '../../../shared/messages/failures.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import { isUnsent } from '../../../shared/messages/message.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { TextSendStore } from '../../../shared/table/messages/text-send-store.ts';
import { giveUp } from './give-up.ts';

export interface EndUnsentTextNeeds {
  readonly messages: Pick<MessageStore, 'find' | 'move' | 'fail' | 'leaveUnconfirmed'>;
  readonly textSends: Pick<TextSendStore, 'undoClaim'>;
}

/**
 * Ends a text whose worker failed too often: as sent where the job says that its provider accepted it, else it is given up. A job that names no
 * account is parked in the end.
 */
export const endUnsentText =
  ({ messages, textSends }: EndUnsentTextNeeds) =>
  async (
    found: AccountRef | undefined,
    { account: accountId, message: id, channel, acceptedMs, unusedClaim }: TextJob,
    nowMs: number,
  ): Promise<void> => {
    const account = accountOfJob(accountId, found);
    if (unusedClaim !== undefined) await textSends.undoClaim(account, { id, channel }, unusedClaim);
    const message = await messages.find(account, id, channel);
    if (!message || !isUnsent(message.status) || message.isHeld) return;
    if (acceptedMs !== undefined) {
      await messages.move(account, message, 'providerAccepted', acceptedMs);
      return;
    }
    const isEnded = await giveUp(messages, account, message, failures.unavailable, nowMs);
    if (!isEnded) throw new ComesBack('a worker has claimed the message', { messageId: id });
    const { isUncertain } = message;
    log('error', 'text given up', { accountId: account.id, messageId: id, channel, isUncertain, textsRefused: true });
  };
