import * as live from '../../../shared/live.ts';
import { endJob } from '../../../shared/messages/jobs.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { lineWorker } from '../../../shared/work/queue-worker.ts';
import { endSends } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  lineWorker(
    endJob,
    ({ account }) => account,
    endSends({ accounts: live.accounts(), messages: live.messages(), textSends: live.textSends() }, Date.now),
  ),
);
