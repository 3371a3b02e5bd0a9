import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createCheckoutKeyContract } from './contract.ts';
import { createCheckoutKey } from './handler.ts';

export const handler = endpoint(
  createCheckoutKeyContract,
  createCheckoutKey({ accounts: live.accounts(), checkoutKeys: live.checkoutKeys() }),
  callersOf('admin/create-checkout-key'),
);
