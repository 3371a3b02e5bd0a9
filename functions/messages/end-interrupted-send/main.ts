import * as live from '../../../shared/live.ts';
import { endJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { groupWorker } from '../../../shared/work/queue-worker.ts';
import { endInterruptedSend, groupOf } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  groupWorker(
    endJob,
    groupOf,
    endInterruptedSend({ accounts: live.accounts(), messages: live.messages(), textSends: live.textSends() }, Date.now),
  ),
);
