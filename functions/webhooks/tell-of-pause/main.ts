import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { tellOfPause } from './handler.ts';

export const handler = streamReader(
  tellOfPause({
    accounts: live.accounts(),
    webhooks: live.webhooks(),
    email: live.email(),
    platformAddress: setting('PLATFORM_EMAIL'),
  }),
);
