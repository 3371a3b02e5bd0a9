import * as z from 'zod';
import { methodWish, mostMethods, shownMethod } from '../../../shared/checkout/methods.ts';
import { contract } from '../../../shared/http/contract.ts';

export const setCheckoutMethodsContract = contract({
  summary: 'Replace the payment methods of an account',
  example: [{ gatewayCode: 'sim_card', displayLabel: 'Card', livemode: false, enabled: true, sortOrder: 1 }],
  status: 200,
  path: z.object({ id: z.string() }),
  body: z.array(methodWish).max(mostMethods),
  reply: z.array(shownMethod),
  refuses: ['invalid_request', 'account_not_found'],
});
