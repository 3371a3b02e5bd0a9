import { roundJob } from '../../../shared/accounts/round.ts';
import * as live from '../../../shared/live.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { settleUnreported } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(
    roundJob,
    settleUnreported({
      accounts: live.accounts(),
      unreported: live.unreported(),
      unreportedTexts: live.unreportedTexts(),
    }),
  ),
);
