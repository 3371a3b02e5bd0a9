import { callersOf } from 'virtual:callers';
import { troublePage } from '../../../shared/checkout/page/trouble.ts';
import { checkoutPage } from '../../../shared/http/checkout-page.ts';
import * as live from '../../../shared/live.ts';
import { beginPaymentByForm } from './handler.ts';

export const handler = checkoutPage(
  beginPaymentByForm({
    sessions: live.sessions(),
    payments: live.payments(),
    methods: live.methods(),
    accounts: live.accounts(),
    resolver: live.simulatedResolver(),
    clock: Date.now,
  }),
  { payers: callersOf('checkout/begin-payment-by-form'), trouble: troublePage },
);
