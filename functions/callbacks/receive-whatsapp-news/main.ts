import { addressLimit, callbacksOfAddress } from '../../../shared/http/address-limit.ts';
import { callback } from '../../../shared/http/callback.ts';
import * as live from '../../../shared/live.ts';
import { receiveWhatsappNews } from './handler.ts';

export const handler = callback(
  receiveWhatsappNews({
    accounts: live.accounts(),
    whatsappSettings: live.whatsappSettings(),
    outcomeRecorder: live.outcomeRecorder(),
    inboundReceiver: live.inboundReceiver(),
    templateSync: live.templateSync(),
  }),
  addressLimit(live.rates(), callbacksOfAddress),
);
