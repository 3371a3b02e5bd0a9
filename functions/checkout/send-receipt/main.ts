import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { sendReceipt } from './handler.ts';

export const handler = streamReader(
  sendReceipt({
    accounts: live.accounts(),

    payments: live.payments(),
    methods: live.methods(),
    sends: live.sends(),
    messages: live.messages(),
    email: live.email(),
    platformAddress: setting('PLATFORM_EMAIL'),
    clock: Date.now,
  }),
);
