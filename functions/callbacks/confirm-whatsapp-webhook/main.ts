import { addressLimit, callbacksOfAddress } from '../../../shared/http/address-limit.ts';
import { callback } from '../../../shared/http/callback.ts';
import * as live from '../../../shared/live.ts';
import { confirmWhatsappWebhook } from './handler.ts';

export const handler = callback(
  confirmWhatsappWebhook({ accounts: live.accounts(), whatsappSettings: live.whatsappSettings() }),
  addressLimit(live.rates(), callbacksOfAddress),
);
