import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { timelineOf } from '../../../shared/messages/timeline.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import { type MessageDeliveriesNeeds, messageDeliveries } from '../../../shared/webhooks/message-deliveries.ts';
import type { getTimelineContract } from './contract.ts';

export interface GetTimelineNeeds extends MessageDeliveriesNeeds {
  readonly messages: Pick<MessageStore, 'find'>;
}

/** What happened to one message of the caller's account, oldest first, its webhook deliveries included. */
export const getTimeline = ({ messages, ...needs }: GetTimelineNeeds) => {
  const deliveriesOf = messageDeliveries(needs);
  return async ({ account, path }: Input<typeof getTimelineContract>): Promise<Reply<typeof getTimelineContract>> => {
    const message = existing('message_not_found', await messages.find(account, path.id));
    const { steps, reference } = message;
    return timelineOf({ message, steps, reference }, await deliveriesOf(account, message));
  };
};
