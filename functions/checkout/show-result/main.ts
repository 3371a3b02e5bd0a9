import { callersOf } from 'virtual:callers';
import { troublePage } from '../../../shared/checkout/page/trouble.ts';
import { checkoutPage } from '../../../shared/http/checkout-page.ts';
import * as live from '../../../shared/live.ts';
import { showResult } from './handler.ts';

export const handler = checkoutPage(
  showResult({
    sessions: live.sessions(),
    payments: live.payments(),
    accounts: live.accounts(),
    methods: live.methods(),
  }),
  { payers: callersOf('checkout/show-result'), trouble: troublePage },
);
