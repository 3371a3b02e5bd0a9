import * as z from 'zod';
import type { StatusChange } from '../../../shared/analytics/status-change.ts';
import { channels, statuses } from '../../../shared/messages/message.ts';
import type { Analytics } from '../../../shared/table/analytics-storage.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface CountMessagesNeeds {
  readonly analytics: Pick<Analytics, 'record'>;
}

const row = z.object({ account: z.string(), SK: z.string(), channel: z.enum(channels), status: z.enum(statuses) });

/** Keeps the hour counts: every message that came, moved to another status or was taken back. */
export const countMessages =
  ({ analytics }: CountMessagesNeeds) =>
  (changes: readonly Change[], nowMs: number): Promise<void> =>
    analytics.record(
      changes.map(statusChangeOf).filter(({ before, after }) => before !== after),
      nowMs,
    );

const statusChangeOf = ({ before, after, sequence }: Change): StatusChange => {
  const { account, SK: id, channel } = row.parse(after ?? before);
  return {
    account,
    id,
    channel,
    before: row.optional().parse(before)?.status,
    after: row.optional().parse(after)?.status,
    sequence,
  };
};
