import { exampleId, nthId } from '../kit/id.ts';
import { jsonOf } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';
import { exampleMessage, type Message, message } from '../messages/message.ts';
import { type EventName, eventRules, testEvent } from './events.ts';
import type { WebhookEvent } from './publish.ts';

/** Ids of events are apart from those of the other things that a message's request creates. */
const firstNumber = 1_000;

/** The same event of the same message always has the same id. */
export const eventIdOf = (messageId: string, name: EventName): string =>
  `evt_${nthId(messageId, firstNumber + eventRules[name].number)}`;

/** The body of a delivery (messaging specification, "Delivery request"): exactly the Message object at the time of the event. */
export const eventBody = (name: EventName, happenedTo: Message, eventMs: number): string =>
  jsonOf({
    id: eventIdOf(happenedTo.id, name),
    event: name,
    createdAt: iso(eventMs),
    data: { message: message.parse(happenedTo) },
  });

/** An example of the body of a delivery. */
export const exampleEvent = {
  id: `evt_${exampleId}`,
  event: 'message.sent',
  createdAt: exampleMessage.sentAt,
  data: { message: exampleMessage },
};

/** An event of a message, as it was when the event happened. */
export const messageEvent = (name: EventName, happenedTo: Message, occurredMs: number): WebhookEvent => ({
  id: eventIdOf(happenedTo.id, name),
  name,
  occurredMs,
  payload: eventBody(name, happenedTo, occurredMs),
});

/** The body of a test (messaging specification, "POST /webhooks/{id}/test"). */
export const testBody = (
  accountId: string,
  { id, name }: { readonly id: string; readonly name: string },
  nowMs: number,
): string =>
  JSON.stringify({
    event: testEvent,
    tenantId: accountId,
    timestamp: iso(nowMs),
    data: { webhookId: id, webhookName: name },
  });
