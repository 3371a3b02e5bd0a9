import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { notifyOfPause } from './handler.ts';

export const handler = streamReader(
  notifyOfPause({
    accounts: live.accounts(),
    webhooks: live.webhooks(),
    email: live.email(),
    platformAddress: setting('PLATFORM_EMAIL'),
  }),
);
