import * as live from '../../../shared/live.ts';
import { textJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { endUnsentText } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(
    textJob,
    endUnsentText({ accounts: live.accounts(), messages: live.messages(), textSends: live.textSends() }),
  ),
);
