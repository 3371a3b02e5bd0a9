import type * as z from 'zod';
import { routeChanges } from '../functions/outbox/route-changes/handler.ts';
import { outbox } from '../infra/outbox.ts';
import { type QueueName, queueSetting } from '../infra/queues.ts';
import type { Change } from '../shared/work/stream-reader.ts';

interface Routed {
  readonly job: object;
  readonly delaySeconds: number;
}

/** What the outbox queues for these changes, by the setting of the queue's URL. A delay is 1 second for each letter of its setting. */
export const routed = async (changes: readonly Change[]): Promise<Readonly<Record<string, readonly Routed[]>>> => {
  const queued: Record<string, Routed[]> = {};
  const route = routeChanges({
    outbox,
    queueOf: ({ queue }) => ({
      sendEach: async (entries) => {
        if (entries.length > 0) queued[queue] = entries.map(({ job, delaySeconds }) => ({ job, delaySeconds }));
        return [];
      },
    }),
    delaySecondsOf: ({ delay = 0 }) => (typeof delay === 'number' ? delay : delay.length),
  });
  await route(changes);
  return queued;
};

/** The jobs of one queue that follow from these changes, as its worker reads them. */
export const jobsFor = async <Job>(queue: QueueName, schema: z.ZodType<Job>, changes: readonly Change[]) =>
  ((await routed(changes))[queueSetting(queue, 'URL')] ?? []).map(({ job }) =>
    schema.parse(JSON.parse(JSON.stringify(job))),
  );
