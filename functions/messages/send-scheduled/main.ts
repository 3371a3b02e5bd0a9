import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { scheduledJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { groupOf, isStale, sendScheduled } from './handler.ts';

/** An email waits for up to 10 s for its turn, and for 8 s for an answer. */
const longestJobMs = 22_000;

export const handler = backingOff(
  live.redelivery(),
  groupWorker(
    scheduledJob,
    groupOf,
    sendScheduled({
      accounts: live.accounts(),
      messages: live.messages(),
      scheduled: live.scheduled(),
      sends: live.sendContexts(),
      unreported: live.unreported(),
      email: live.email(),
      scheduledQueue: live.scheduledQueue(),
      platformAddress: setting('PLATFORM_EMAIL'),
      peopleAddress: setting('PEOPLE_EMAIL'),
      clock: Date.now,
    }),
    { jobMs: longestJobMs, isStale },
  ),
);
