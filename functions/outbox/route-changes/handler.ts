import type { Entry, Left } from '../../../shared/aws/queue.ts';
import type { OutboxRow } from '../../../shared/work/outbox.ts';
import type { Change, Failure } from '../../../shared/work/stream-reader.ts';
import { jobsOf, latestOf } from './consequences.ts';

export interface RouteChangesNeeds {
  readonly outbox: readonly OutboxRow[];
  readonly queueOf: (row: OutboxRow) => {
    sendEach<Some extends Entry<object>>(entries: readonly Some[]): Promise<readonly Left<Some>[]>;
  };
  readonly delaySecondsOf: (row: OutboxRow) => number;
}

/**
 * Queues the jobs that follow from each change, by the table of workers, and does nothing else. Returns the failures of changes of which a job
 * may not be queued; the jobs of all others are.
 */
export const routeChanges = ({ outbox, queueOf, delaySecondsOf }: RouteChangesNeeds) => {
  const rows = outbox.map((row) => ({ row, delaySeconds: delaySecondsOf(row) }));
  const queues = new Map(outbox.map((row) => [row.queue, queueOf(row)]));

  return async (changes: readonly Change[]): Promise<ReadonlyMap<Change, Failure>> => {
    const latest = latestOf(changes);
    const left = await Promise.all(
      [...queues].map(([name, queue]) => {
        const fed = rows.filter(({ row }) => row.queue === name);
        const entries = changes.flatMap((change) =>
          fed.flatMap(({ row, delaySeconds }) =>
            jobsOf(change, row, latest).map((job) => ({ job, delaySeconds, change })),
          ),
        );
        return queue.sendEach(entries);
      }),
    );
    const failures = new Map<Change, Failure>();
    for (const { entry, isPassing } of left.flat())
      failures.set(entry.change, { isPassing: isPassing || failures.get(entry.change)?.isPassing === true });
    return failures;
  };
};
