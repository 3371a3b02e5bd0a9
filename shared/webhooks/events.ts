import type { Channel, Message, Status } from '../messages/message.ts';

/** The complete list of messaging events (messaging specification, "Events"). */
export const eventNames = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'] as const;
export type EventName = (typeof eventNames)[number];

/** The only other name on the wire, for trying a subscription out. */
export const testEvent = 'webhook.test';

/** The parts of a message that decide its events. */
export type MessageState = Pick<Message, 'sentAt' | 'deliveredAt' | 'failedAt'> & {
  readonly channel: Channel;
  readonly status: Status;
};

interface Rule {
  /** Part of the event's id: never to be changed. */
  readonly number: number;
  readonly hasHappened: (message: MessageState) => boolean;
  /** The time of the event, if the message has it. */
  readonly at: (message: MessageState) => string | null;
}

/**
 * A step that a message has skipped has been taken too, so an email that goes from `sending` straight to `opened` was sent and delivered. What
 * the provider rejected has failed finally, like any other terminal failure: it has `failedAt`.
 */
export const eventRules: Readonly<Record<EventName, Rule>> = {
  'message.sent': { number: 1, hasHappened: ({ sentAt }) => sentAt !== null, at: ({ sentAt }) => sentAt },
  'message.delivered': {
    number: 2,
    hasHappened: ({ deliveredAt }) => deliveredAt !== null,
    at: ({ deliveredAt }) => deliveredAt,
  },
  'message.failed': { number: 3, hasHappened: ({ failedAt }) => failedAt !== null, at: ({ failedAt }) => failedAt },
  'message.bounced': {
    number: 4,
    hasHappened: ({ channel, status }) => channel === 'email' && status === 'bounced',
    at: () => null,
  },
};

/** The events that one change of a message is. */
export const eventsBetween = (before: MessageState | undefined, after: MessageState): EventName[] =>
  eventNames.filter((name) => {
    const { hasHappened } = eventRules[name];
    return hasHappened(after) && !(before && hasHappened(before));
  });
