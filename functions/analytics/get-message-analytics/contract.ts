import * as z from 'zod';
import { messageAnalytics } from '../../../shared/analytics/message-analytics.ts';
import { contract } from '../../../shared/http/contract.ts';
import { parseIso } from '../../../shared/kit/time.ts';

const instantOrNone = (description: string, example: string) =>
  z
    .string()
    .transform((text) => parseIso(text))
    .optional()
    .meta({ description, examples: [example] });

export const getMessageAnalyticsContract = contract({
  summary: 'Count messages by channel and status',
  description:
    'Counts the messages created between `startDate` and `endDate`, both included, by their current status. Complete hours, and the current hour if it has more than 500 messages and is not cut by the range, are shown as they were some seconds ago; a part of an hour is counted exactly, up to 20,000 messages an hour. An invalid date is not rejected: its default is used instead, and `range` shows the dates that were used.',
  status: 200,
  query: z.object({
    startDate: instantOrNone(
      'ISO 8601; default midnight UTC on the 1st of the current month.',
      '2026-11-01T00:00:00.000Z',
    ),
    endDate: instantOrNone('ISO 8601; default now.', '2026-11-20T12:00:00.000Z'),
  }),
  reply: messageAnalytics,
});
