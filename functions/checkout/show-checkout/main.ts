import { callersOf } from 'virtual:callers';
import { troublePage } from '../../../shared/checkout/page/trouble.ts';
import { checkoutPage } from '../../../shared/http/checkout-page.ts';
import * as live from '../../../shared/live.ts';
import { showCheckout } from './handler.ts';

export const handler = checkoutPage(
  showCheckout({
    sessions: live.sessions(),
    payments: live.payments(),
    accounts: live.accounts(),
    methods: live.methods(),
    resolver: live.simulatedResolver(),
    clock: Date.now,
    paymentsQueue: live.paymentsQueue(),
  }),
  { payers: callersOf('checkout/show-checkout'), trouble: troublePage },
);
