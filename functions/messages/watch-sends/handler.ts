import type { Queue } from '../../../shared/aws/queue.ts';
import type { MessageJob } from '../../../shared/messages/jobs.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';

export interface WatchSendsNeeds {
  readonly interruptedSends: Queue<MessageJob>;
  readonly giveUpSeconds: number;
}

/** Queues a check of every email whose send begins, for a time when no request can still be processing it. */
export const watchSends =
  ({ interruptedSends, giveUpSeconds }: WatchSendsNeeds) =>
  (changes: readonly Change[]): Promise<void> =>
    interruptedSends.send(
      changes.map(({ after }) => ({ account: String(after?.['account']), message: String(after?.['SK']) })),
      { delaySeconds: giveUpSeconds },
    );
