import * as z from 'zod';
import { type Channel, type Status, statuses } from '../messages/message.ts';
import { type Counts, countName } from './counts.ts';

const number = z
  .int()
  .min(0)
  .meta({ examples: [0] });

const channelAnalytics = z
  .object({
    total: number.describe('All messages, including those whose status has no bucket.'),
    sent: number,
    delivered: number,
    opened: number,
    clicked: number,
    bounced: number,
    failed: number.describe('Messages with status `failed` or `rejected`.'),
  })
  .meta({
    id: 'ChannelAnalytics',
    description: 'Each message counts in `total` and in the bucket of its current status.',
  });

type ChannelAnalytics = z.output<typeof channelAnalytics>;

const instant = (example: string) => z.string().meta({ format: 'date-time', examples: [example] });

/** Messaging specification, "Message analytics object". */
export const messageAnalytics = z
  .object({
    range: z
      .object({ startDate: instant('2026-11-01T00:00:00.000Z'), endDate: instant('2026-11-20T12:00:00.000Z') })
      .describe('The range that was counted, both ends included.'),
    channels: z.object({ email: channelAnalytics, sms: channelAnalytics, whatsapp: channelAnalytics }),
  })
  .meta({
    id: 'MessageAnalytics',
    description: 'All messages of the account: API, campaigns and automations.',
    examples: [
      {
        range: { startDate: '2026-11-01T00:00:00.000Z', endDate: '2026-11-20T12:00:00.000Z' },
        channels: {
          email: { total: 1_250, sent: 30, delivered: 820, opened: 290, clicked: 90, bounced: 15, failed: 5 },
          sms: { total: 410, sent: 12, delivered: 380, opened: 0, clicked: 0, bounced: 0, failed: 8 },
          whatsapp: { total: 96, sent: 4, delivered: 31, opened: 0, clicked: 0, bounced: 0, failed: 1 },
        },
      },
    ],
  });

const analyticsOf = (counts: Counts, channel: Channel): ChannelAnalytics => {
  const withStatus = (...wanted: readonly Status[]): number =>
    wanted.reduce((sum, status) => sum + (counts.get(countName(channel, status)) ?? 0), 0);
  // A count is below zero while a batch of changes is parked whose messages have moved on since.
  const bucket = (...wanted: readonly Status[]): number => Math.max(0, withStatus(...wanted));
  const buckets = {
    sent: bucket('sent'),
    delivered: bucket('delivered'),
    opened: bucket('opened'),
    clicked: bucket('clicked'),
    bounced: bucket('bounced'),
    failed: bucket('failed', 'rejected'),
  };
  const inBuckets = Object.values(buckets).reduce((sum, number) => sum + number, 0);
  return { total: Math.max(withStatus(...statuses), inBuckets), ...buckets };
};

/** The buckets of every channel. */
export const channelsOf = (counts: Counts): Readonly<Record<Channel, ChannelAnalytics>> => ({
  email: analyticsOf(counts, 'email'),
  sms: analyticsOf(counts, 'sms'),
  whatsapp: analyticsOf(counts, 'whatsapp'),
});
