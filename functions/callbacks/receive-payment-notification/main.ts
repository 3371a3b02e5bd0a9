import { addressLimit, callbacksOfAddress } from '../../../shared/http/address-limit.ts';
import { callback } from '../../../shared/http/callback.ts';
import * as live from '../../../shared/live.ts';
import { receivePaymentNotification } from './handler.ts';

export const handler = callback(
  receivePaymentNotification({
    payments: live.payments(),
    findAdapter: live.findRealAdapter(),
    paymentsQueue: live.paymentsQueue(),
  }),
  addressLimit(live.rates(), callbacksOfAddress),
);
