import { roundJob } from '../../../shared/accounts/round.ts';
import * as live from '../../../shared/live.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { settleUnreported } from './handler.ts';

export const handler = queueWorker(
  roundJob,
  settleUnreported({
    accounts: live.accounts(),
    unreported: live.unreported(),
    unreportedTexts: live.unreportedTexts(),
  }),
);
