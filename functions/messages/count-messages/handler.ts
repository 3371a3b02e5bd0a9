import * as z from 'zod';
import { creditCounters } from '../../../shared/accounts/credits.ts';
import type { StatusChange } from '../../../shared/analytics/status-change.ts';
import { channels, statuses } from '../../../shared/messages/message.ts';
import type { AnalyticsStore } from '../../../shared/table/messages/analytics-store.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';
import { meterChanges } from './meter-changes.ts';

export interface CountMessagesNeeds {
  readonly analytics: Pick<AnalyticsStore, 'record'>;
}

const price = z.object({ counter: z.enum(creditCounters), credits: z.int() });
const standing = z.object({ status: z.enum(statuses), price });
const row = standing.extend({ account: z.string(), PK: z.string(), SK: z.string(), channel: z.enum(channels) });

/** Maintains the counts and credits per hour, for every message that was created, changed its status or was withdrawn. */
export const countMessages =
  ({ analytics }: CountMessagesNeeds) =>
  async (changes: readonly Change[], nowMs: number): Promise<void> => {
    await analytics.record(
      changes.map(statusChangeOf).filter(({ before, after }) => before?.status !== after?.status),
      nowMs,
    );
    meterChanges(changes);
  };

const statusChangeOf = ({ before, after, sequence, atMs }: Change): StatusChange => {
  const { account, PK: partition, SK: id, channel } = row.parse(after ?? before);
  return {
    account,
    id,
    channel,
    before: standing.optional().parse(before),
    after: standing.optional().parse(after),
    partition,
    sequence,
    atMs,
  };
};
