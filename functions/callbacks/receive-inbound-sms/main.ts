import { addressLimit, callbacksOfAddress } from '../../../shared/http/address-limit.ts';
import { callback } from '../../../shared/http/callback.ts';
import * as live from '../../../shared/live.ts';
import { receiveInboundSms } from './handler.ts';

export const handler = callback(
  receiveInboundSms({
    accounts: live.accounts(),
    inboundTokens: live.inboundTokens(),
    smsSettings: live.smsSettings(),
    inboundReceiver: live.inboundReceiver(),
  }),
  addressLimit(live.rates(), callbacksOfAddress),
);
