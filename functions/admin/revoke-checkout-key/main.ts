import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { revokeCheckoutKeyContract } from './contract.ts';
import { revokeCheckoutKey } from './handler.ts';

export const handler = endpoint(
  revokeCheckoutKeyContract,
  revokeCheckoutKey({ checkoutKeys: live.checkoutKeys() }),
  callersOf('admin/revoke-checkout-key'),
);
