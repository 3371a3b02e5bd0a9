import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import type { TextJob } from '../../../shared/messages/jobs.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { TextSendStore } from '../../../shared/table/messages/text-send-store.ts';

export interface WriteKnownNeeds {
  readonly messages: Pick<MessageStore, 'find' | 'move'>;
  readonly textSends: Pick<TextSendStore, 'undoClaim'>;
}

/** Writes what an earlier run knew of a text and could not write. True: the text is still to be sent. */
export const writeKnown =
  ({ messages, textSends }: WriteKnownNeeds) =>
  async (account: AccountRef, { message: id, channel, acceptedMs, unusedClaim }: TextJob): Promise<boolean> => {
    if (unusedClaim !== undefined) await textSends.undoClaim(account, { id, channel }, unusedClaim);
    if (acceptedMs === undefined) return true;
    const message = await messages.find(account, id, channel);
    if (message) await messages.move(account, message, 'providerAccepted', acceptedMs);
    return false;
  };
