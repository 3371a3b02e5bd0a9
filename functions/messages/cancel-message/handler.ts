import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { ScheduledStore } from '../../../shared/table/messages/scheduled-store.ts';
import type { cancelMessageContract } from './contract.ts';

export interface CancelMessageNeeds {
  readonly messages: Pick<MessageStore, 'find'>;
  readonly scheduled: Pick<ScheduledStore, 'cancel' | 'retire'>;
}

/** Deletes a message that waits for its time, or an email for its busy provider, and returns its credits. */
export const cancelMessage =
  ({ messages, scheduled }: CancelMessageNeeds) =>
  async ({
    account,
    path,
    nowMs,
  }: Input<typeof cancelMessageContract>): Promise<Reply<typeof cancelMessageContract>> => {
    const message = existing('message_not_found', await messages.find(account, path.id));
    const isCancelled = message.isHeld && (await scheduled.cancel(account, message, nowMs));
    if (!isCancelled) {
      // Another request may have cancelled it in the meantime.
      existing('message_not_found', await messages.find(account, path.id));
      throw new Fault('conflict', 'The message is not scheduled, or its sending has begun.');
    }
    await scheduled.retire(account, message.id, nowMs);
  };
