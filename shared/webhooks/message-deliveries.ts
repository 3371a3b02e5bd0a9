import type { AccountRef } from '../kit/account-ref.ts';
import { timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { Message } from '../messages/message.ts';
import type { TimelineEntry } from '../messages/timeline.ts';
import { type DeliverySummary, deliveryId, type Subscription } from './delivery.ts';
import { type EventName, eventNames, eventRules } from './events.ts';
import { eventIdOf } from './payload.ts';

export interface MessageDeliveriesNeeds {
  readonly webhooks: { listeners(accountId: string): Promise<readonly Subscription[]> };
  readonly events: { timeOf(account: AccountRef, eventId: string): Promise<number | undefined> };
  readonly deliveries: {
    summaries(
      wanted: readonly { readonly webhook: Subscription; readonly id: string }[],
    ): Promise<readonly DeliverySummary[]>;
  };
}

/**
 * The webhook deliveries of a message's events. Their ids follow from the event, its time and the subscription, so none is searched for. A
 * delivery is there from its first attempt on, for 30 days.
 */
export const messageDeliveries = ({ webhooks, events, deliveries }: MessageDeliveriesNeeds) => {
  /** Only a bounce has no time in the message; its event has it. */
  const timeOf = async (account: AccountRef, message: Message, name: EventName): Promise<number | undefined> => {
    const at = eventRules[name].at(message);
    return at === null ? events.timeOf(account, eventIdOf(message.id, name)) : Date.parse(at);
  };

  return async (account: AccountRef, message: Message): Promise<TimelineEntry[]> => {
    const subscriptions = await webhooks.listeners(account.id);
    const happened = eventNames.filter((name) => subscriptions.length > 0 && eventRules[name].hasHappened(message));
    const wanted = await Promise.all(
      happened.map(async (name) => {
        const eventMs = await timeOf(account, message, name);
        return eventMs === undefined
          ? []
          : subscriptions.map((webhook) => ({
              webhook,
              id: deliveryId(eventIdOf(message.id, name), webhook.id, eventMs),
            }));
      }),
    );
    return (await deliveries.summaries(wanted.flat())).map(entryOf);
  };
};

const entryOf = ({ id, webhookId, event, state, attemptsMade, last }: DeliverySummary): TimelineEntry => ({
  at: iso(last?.startedMs ?? timeOfId(id)),
  type: 'webhook_delivery',
  detail: { event, webhookId, deliveryId: id, state, statusCode: last?.statusCode ?? 0, attempts: attemptsMade },
});
