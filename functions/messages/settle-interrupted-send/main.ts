import * as live from '../../../shared/live.ts';
import { messageJob } from '../../../shared/messages/jobs.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { settleInterruptedSend } from './handler.ts';

export const handler = queueWorker(
  messageJob,
  settleInterruptedSend({ accounts: live.accounts(), messages: live.messages() }),
);
