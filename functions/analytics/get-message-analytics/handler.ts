import { channelsOf } from '../../../shared/analytics/message-analytics.ts';
import { rangeOf } from '../../../shared/analytics/range.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { AnalyticsStore } from '../../../shared/table/messages/analytics-store.ts';
import type { getMessageAnalyticsContract } from './contract.ts';

export interface GetMessageAnalyticsNeeds {
  readonly analytics: Pick<AnalyticsStore, 'count'>;
}

/** The account's messages that were created in a time range, by their current status. */
export const getMessageAnalytics =
  ({ analytics }: GetMessageAnalyticsNeeds) =>
  async ({
    account,
    query,
    nowMs,
  }: Input<typeof getMessageAnalyticsContract>): Promise<Reply<typeof getMessageAnalyticsContract>> => {
    const range = rangeOf(query, nowMs);
    const counts = await analytics.count(account, range, nowMs);
    return { range: { startDate: iso(range.startMs), endDate: iso(range.endMs) }, channels: channelsOf(counts) };
  };
