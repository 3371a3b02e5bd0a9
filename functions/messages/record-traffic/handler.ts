import { accountOfJob } from '../../../shared/accounts/job-account.ts';
import type { TrafficJob } from '../../../shared/messages/traffic.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { TrafficStore } from '../../../shared/table/messages/traffic-store.ts';

export interface RecordTrafficNeeds {
  readonly accounts: Pick<AccountStore, 'refOf'>;
  readonly traffic: Pick<TrafficStore, 'record'>;
}

/** Adds a campaign's or an automation's message to the account's messages. A job for an unknown account ends in the dead-letter queue. */
export const recordTraffic =
  ({ accounts, traffic }: RecordTrafficNeeds) =>
  async (job: TrafficJob): Promise<void> => {
    await traffic.record(accountOfJob(job.account, await accounts.refOf(job.account)), job);
  };
