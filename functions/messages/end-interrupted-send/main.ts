import * as live from '../../../shared/live.ts';
import { interruptedJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { endInterruptedSend } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(interruptedJob, endInterruptedSend({ accounts: live.accounts(), messages: live.messages() })),
);
