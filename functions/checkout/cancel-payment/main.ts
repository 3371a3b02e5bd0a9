import { callersOf } from 'virtual:callers';
import { troublePage } from '../../../shared/checkout/page/trouble.ts';
import { checkoutPage } from '../../../shared/http/checkout-page.ts';
import * as live from '../../../shared/live.ts';
import { cancelPayment } from './handler.ts';

export const handler = checkoutPage(cancelPayment({ payments: live.payments() }), {
  payers: callersOf('checkout/cancel-payment'),
  trouble: troublePage,
});
