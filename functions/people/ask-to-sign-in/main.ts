import { addressLimit } from '../../../shared/http/address-limit.ts';
import { browser } from '../../../shared/http/browser.ts';
import * as live from '../../../shared/live.ts';
import { asksOfAddress, askToSignIn } from './handler.ts';

const rates = live.rates();

export const handler = browser(
  askToSignIn({ signIns: live.signIns(), rates, limit: addressLimit(rates, asksOfAddress) }),
);
