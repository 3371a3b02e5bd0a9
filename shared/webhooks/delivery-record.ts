import * as z from 'zod';
import { exampleId, newerExampleId, timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { type Delivery, deliveryStates, isSuccess } from './delivery.ts';
import { nextDueMs } from './retries.ts';

/** A delivery as the admin API shows it. */
export const deliveryRecord = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    event: z.string(),
    eventId: z.string().nullable().describe('Null on a test delivery.'),
    state: z
      .enum(deliveryStates)
      .describe(
        '`cancelled`: the subscription was paused before the delivery ended. It counts in neither total and can be resent.',
      ),
    attempts: z
      .array(
        z.object({
          number: z.int().describe('The first attempt is 1.'),
          at: z.string(),
          statusCode: z.int(),
          responseTime: z.int(),
          responseBody: z.string(),
          success: z.boolean(),
        }),
      )
      .describe('The first attempt and the last nine attempts.'),
    attemptsMade: z.int(),
    nextAttemptAt: z
      .string()
      .nullable()
      .describe(
        'When a pending delivery whose last attempt failed is tried again at the earliest. Null on any other: it has ended, or it is waiting for no time.',
      ),
    createdAt: z.string(),
  })
  .meta({
    id: 'Delivery',
    description: 'The delivery of one event to one subscription.',
    examples: [
      {
        id: newerExampleId,
        webhookId: exampleId,
        event: 'message.delivered',
        eventId: `evt_${exampleId}`,
        state: 'succeeded',
        attempts: [
          {
            number: 1,
            at: '2026-11-20T12:00:01.000Z',
            statusCode: 503,
            responseTime: 31,
            responseBody: 'Service Unavailable',
            success: false,
          },
          {
            number: 2,
            at: '2026-11-20T12:00:06.020Z',
            statusCode: 204,
            responseTime: 45,
            responseBody: '',
            success: true,
          },
        ],
        attemptsMade: 2,
        nextAttemptAt: null,
        createdAt: '2026-11-20T12:00:01.000Z',
      },
    ],
  });

/** `waits`: the seconds before each attempt after the first. */
export const deliveryRecordOf =
  (waits: readonly number[]) =>
  (delivery: Delivery): z.output<typeof deliveryRecord> => ({
    id: delivery.id,
    webhookId: delivery.webhookId,
    event: delivery.event,
    eventId: delivery.eventId ?? null,
    state: delivery.state,
    attempts: delivery.attempts.map(({ startedMs, ...attempt }) => ({
      ...attempt,
      at: iso(startedMs),
      success: isSuccess(attempt),
    })),
    attemptsMade: delivery.attemptsMade,
    nextAttemptAt: nextAttemptAt(waits, delivery),
    createdAt: iso(timeOfId(delivery.id)),
  });

const nextAttemptAt = (waits: readonly number[], delivery: Delivery): string | null => {
  const { state, attempts, attemptsMade, earlierAttempts } = delivery;
  const last = attempts.at(-1);
  const ofRound = attemptsMade - earlierAttempts;
  if (state !== 'pending' || !last || ofRound === 0) return null;
  return iso(nextDueMs(waits, ofRound, last.startedMs + last.responseTime));
};
