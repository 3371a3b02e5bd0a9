import * as live from '../../../shared/live.ts';
import { messageJob } from '../../../shared/messages/jobs.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { settleUnsent } from './handler.ts';

export const handler = queueWorker(messageJob, settleUnsent({ accounts: live.accounts(), messages: live.messages() }));
