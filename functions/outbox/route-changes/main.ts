import { outbox } from 'virtual:outbox';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { changeReader } from '../../../shared/work/stream-reader.ts';
import { routeChanges } from './handler.ts';

export const handler = changeReader({
  read: routeChanges({
    outbox,
    queueOf: ({ queue }) => live.outboxQueue(queue),
    delaySecondsOf: ({ delay }) => (typeof delay === 'string' ? Math.ceil(Number(setting(delay))) : (delay ?? 0)),
  }),
  parkedJobs: live.outboxQueue('PARKED_JOBS_QUEUE_URL'),
  clock: Date.now,
});
