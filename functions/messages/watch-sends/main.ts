import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { watchSends } from './handler.ts';

export const handler = streamReader(
  watchSends({
    interruptedSends: live.interruptedSendsQueue(),
    giveUpSeconds: Number(setting('SEND_GIVE_UP_SECONDS')),
  }),
);
