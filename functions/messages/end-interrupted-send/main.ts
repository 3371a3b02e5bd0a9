import * as live from '../../../shared/live.ts';
import { endJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { endSend } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(endJob, endSend({ accounts: live.accounts(), messages: live.messages(), textSends: live.textSends() })),
);
