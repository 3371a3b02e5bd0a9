import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import { timelineOf } from '../../../shared/messages/timeline.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import { type MessageDeliveriesNeeds, messageDeliveries } from '../../../shared/webhooks/message-deliveries.ts';
import type { listEventsContract } from './contract.ts';

export interface ListEventsNeeds extends MessageDeliveriesNeeds {
  readonly messages: Pick<MessageStore, 'find'>;
}

/** What happened to one message of the caller's account, oldest first, its webhook deliveries included. */
export const listEvents = ({ messages, ...needs }: ListEventsNeeds) => {
  const deliveriesOf = messageDeliveries(needs);
  return async ({ account, path }: Input<typeof listEventsContract>): Promise<Reply<typeof listEventsContract>> => {
    const message = existing('message_not_found', await messages.find(account, path.id));
    const { steps, reference } = message;
    return timelineOf({ message, steps, reference }, await deliveriesOf(account, message));
  };
};
