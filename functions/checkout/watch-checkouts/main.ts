import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { watchCheckouts } from './handler.ts';

export const handler = streamReader(
  watchCheckouts({
    paymentsQueue: live.paymentsQueue(),
    simulatorSeconds: Number(setting('SIM_TIMEOUT_SECONDS')),
  }),
);
