import { createHash } from 'node:crypto';
import * as z from 'zod';
import { newId, timeOfId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';

/** `cancelled`: the subscription was paused before the delivery was done. */
export const deliveryStates = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What came of calling a target once. Status 0: there was no whole answer, and the body says why. */
export interface Answer {
  readonly statusCode: number;
  /** In milliseconds, from the look-up of the name to the last byte. */
  readonly responseTime: number;
  readonly responseBody: string;
}

export interface Attempt extends Answer {
  /** When it began, in milliseconds since 1970. */
  readonly startedMs: number;
}

export const isSuccess = ({ statusCode }: Pick<Answer, 'statusCode'>): boolean =>
  statusCode >= 200 && statusCode <= 299;

/** One event on its way to one subscription. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: string;
  /** Missing on a test. */
  readonly eventId: string | undefined;
  /** The raw body. */
  readonly payload: string;
  readonly state: DeliveryState;
  readonly attempts: readonly Attempt[];
  /** How many attempts were made before the delivery was sent again by hand; its rounds are counted apart. */
  readonly earlierAttempts: number;
  /** Where the subscription's totals have this delivery. */
  readonly countedAs: Total | undefined;
}

export type Total = 'totalSent' | 'totalFailed';

/** A delivery that nobody has attempted yet. */
export const newDelivery = (
  parts: Pick<Delivery, 'id' | 'webhookId' | 'event' | 'payload'> & { readonly eventId?: string },
): Delivery => ({
  eventId: undefined,
  state: 'pending',
  attempts: [],
  earlierAttempts: 0,
  countedAs: undefined,
  ...parts,
});

/** The same event always goes to the same subscription under the same id; ids are in the order of their events. */
export const deliveryId = (eventId: string, webhookId: string, eventMs: number): string =>
  newId(eventMs, createHash('sha256').update(`${eventId}#${webhookId}`).digest().subarray(0, 10));

/** The state that a delivery is in after one more attempt. `mostAttempts`: how many a round has. */
export const stateAfter = (delivery: Delivery, attempt: Answer, mostAttempts: number): DeliveryState => {
  if (isSuccess(attempt)) return 'succeeded';
  return delivery.attempts.length + 1 - delivery.earlierAttempts < mostAttempts ? 'pending' : 'failed';
};

/**
 * Every delivery that has ended is in one of the totals, once: in `totalSent` if it has ever succeeded, so that sending a failed one again
 * may move it there.
 */
export const totalAfter = ({ countedAs }: Pick<Delivery, 'countedAs'>, state: DeliveryState): Total | undefined => {
  if (state === 'succeeded') return 'totalSent';
  return state === 'failed' ? (countedAs ?? 'totalFailed') : countedAs;
};

/** The Webhook delivery log row of the specification. */
export const logRow = z.object({
  id: z.string(),
  webhookId: z.string(),
  event: z.string(),
  payload: z.instanceof(JsonText).meta({ type: 'object', description: 'The body that was sent.' }),
  statusCode: z.int().describe('Of the last attempt; 0 when there was no answer, or no attempt yet.'),
  responseBody: z.string().describe('Of the last attempt: 2,000 characters of the answer, or why there was none.'),
  responseTime: z.int().describe('Of the last attempt, in milliseconds.'),
  success: z.boolean(),
  attempts: z.int(),
  createdAt: z.string(),
});

export type LogRow = z.output<typeof logRow>;

export const logRowOf = ({ id, webhookId, event, payload, attempts }: Delivery): LogRow => {
  const { statusCode = 0, responseBody = '', responseTime = 0 } = attempts.at(-1) ?? {};
  return {
    id,
    webhookId,
    event,
    payload: new JsonText(payload),
    statusCode,
    responseBody,
    responseTime,
    success: isSuccess({ statusCode }),
    attempts: attempts.length,
    createdAt: iso(timeOfId(id)),
  };
};

/** What an operator sees of a delivery. */
export const deliveryRecord = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    event: z.string(),
    eventId: z.string().nullable().describe('Null on a test.'),
    state: z.enum(deliveryStates),
    attempts: z.array(
      z.object({
        at: z.string(),
        statusCode: z.int(),
        responseTime: z.int(),
        responseBody: z.string(),
        success: z.boolean(),
      }),
    ),
    createdAt: z.string(),
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one subscription.' });

export const deliveryRecordOf = ({
  id,
  eventId,
  attempts,
  ...delivery
}: Delivery): z.output<typeof deliveryRecord> => ({
  id,
  webhookId: delivery.webhookId,
  event: delivery.event,
  eventId: eventId ?? null,
  state: delivery.state,
  attempts: attempts.map(({ startedMs, ...answer }) => ({ at: iso(startedMs), ...answer, success: isSuccess(answer) })),
  createdAt: iso(timeOfId(id)),
});
