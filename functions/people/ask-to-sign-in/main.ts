import { addressLimit } from '../../../shared/http/address-limit.ts';
import { asksOfAddress, askToSignIn } from '../../../shared/http/ask-to-sign-in.ts';
import { browser } from '../../../shared/http/browser.ts';
import * as live from '../../../shared/live.ts';

export const handler = browser(
  askToSignIn({
    signIns: live.signIns(),
    rates: live.rates(),
    limit: addressLimit(live.rates(), asksOfAddress),
  }),
);
