import * as live from '../../../shared/live.ts';
import { trafficJob } from '../../../shared/messages/traffic.ts';
import { backingOff } from '../../../shared/work/back-off.ts';
import { queueWorker } from '../../../shared/work/queue-worker.ts';
import { recordTraffic } from './handler.ts';

export const handler = backingOff(
  live.redelivery(),
  queueWorker(trafficJob, recordTraffic({ accounts: live.accounts(), traffic: live.traffic() })),
);
