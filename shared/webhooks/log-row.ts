import * as z from 'zod';
import { exampleId, newerExampleId, timeOfId } from '../kit/id.ts';
import { JsonText } from '../kit/json-text.ts';
import { iso } from '../kit/time.ts';
import { type Delivery, isSuccess } from './delivery.ts';
import { exampleEvent } from './payload.ts';

/** The most rows that are counted and have pages: to count all would read all, and a busy subscription has millions. */
export const mostLogRows = 50_000;
/** The most megabytes of them: after an outage, each may have twenty kilobytes of its receiver's answers. */
export const mostLogMegabytes = 100;

/** Messaging specification, "Webhook delivery log row". */
export const logRow = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    event: z.string(),
    payload: z.instanceof(JsonText).meta({ type: 'object', description: 'The body of the request.' }),
    statusCode: z.int().describe('Of the last attempt; 0 if there was no response, or no attempt yet.'),
    responseBody: z
      .string()
      .describe('Of the last attempt: the first 2,000 characters of the response, or why there was none.'),
    responseTime: z.int().describe('Of the last attempt, in milliseconds.'),
    success: z.boolean(),
    attempts: z.int(),
    createdAt: z.string(),
  })
  .meta({
    examples: [
      {
        id: newerExampleId,
        webhookId: exampleId,
        event: 'message.sent',
        payload: exampleEvent,
        statusCode: 204,
        responseBody: '',
        responseTime: 45,
        success: true,
        attempts: 1,
        createdAt: '2026-11-20T12:00:01.000Z',
      },
    ],
  });

export type LogRow = z.output<typeof logRow>;

export const logRowOf = ({ id, webhookId, event, attempts, attemptsMade }: Delivery, payload: string): LogRow => {
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
    attempts: attemptsMade,
    createdAt: iso(timeOfId(id)),
  };
};
