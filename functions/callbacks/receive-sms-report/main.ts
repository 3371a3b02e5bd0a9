import { addressLimit, callbacksOfAddress } from '../../../shared/http/address-limit.ts';
import { callback } from '../../../shared/http/callback.ts';
import * as live from '../../../shared/live.ts';
import { receiveSmsReport } from './handler.ts';

export const handler = callback(
  receiveSmsReport({
    accounts: live.accounts(),
    messageTokens: live.messageTokens(),
    smsSettings: live.smsSettings(),
    outcomeRecorder: live.outcomeRecorder(),
  }),
  addressLimit(live.rates(), callbacksOfAddress),
);
