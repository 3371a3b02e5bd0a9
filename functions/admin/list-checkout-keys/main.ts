import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listCheckoutKeysContract } from './contract.ts';
import { listCheckoutKeys } from './handler.ts';

export const handler = endpoint(
  listCheckoutKeysContract,
  listCheckoutKeys({ accounts: live.accounts(), checkoutKeys: live.checkoutKeys() }),
  callersOf('admin/list-checkout-keys'),
);
