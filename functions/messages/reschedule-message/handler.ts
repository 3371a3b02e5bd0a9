import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { iso } from '../../../shared/kit/time.ts';
import { sendTimeIn } from '../../../shared/messages/send-time.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { ScheduledStore } from '../../../shared/table/messages/scheduled-store.ts';
import type { rescheduleMessageContract } from './contract.ts';

export interface RescheduleMessageNeeds {
  readonly messages: Pick<MessageStore, 'find'>;
  readonly scheduled: Pick<ScheduledStore, 'reschedule'>;
}

type Request = Input<typeof rescheduleMessageContract>;

/** Moves a scheduled message to another time, as long as its sending has not begun. */
export const rescheduleMessage = ({ messages, scheduled }: RescheduleMessageNeeds) => {
  const reschedule = async (request: Request): Promise<Reply<typeof rescheduleMessageContract>> => {
    const { account, path, body, nowMs } = request;
    const atMs = sendTimeIn(body.sendAt, nowMs);
    const message = existing('message_not_found', await messages.find(account, path.id));
    if (message.scheduledAt === undefined || !message.isHeld || message.status !== 'queued')
      throw new Fault('conflict', 'The message is not scheduled, or its sending has begun.');
    // It may just have been moved by another request, or by quiet hours.
    const isMoved = await scheduled.reschedule(account, message, atMs);
    return isMoved ? { ...message, scheduledAt: iso(atMs) } : reschedule(request);
  };
  return reschedule;
};
