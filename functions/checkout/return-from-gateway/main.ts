import { callersOf } from 'virtual:callers';
import { troublePage } from '../../../shared/checkout/page/trouble.ts';
import { checkoutPage } from '../../../shared/http/checkout-page.ts';
import * as live from '../../../shared/live.ts';
import { returnFromGateway } from './handler.ts';

export const handler = checkoutPage(
  returnFromGateway({
    payments: live.payments(),
    addresses: live.checkoutAddresses(),
    paymentsQueue: live.paymentsQueue(),
  }),
  { payers: callersOf('checkout/return-from-gateway'), trouble: troublePage },
);
