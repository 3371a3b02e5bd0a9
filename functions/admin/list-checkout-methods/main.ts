import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listCheckoutMethodsContract } from './contract.ts';
import { listCheckoutMethods } from './handler.ts';

export const handler = endpoint(
  listCheckoutMethodsContract,
  listCheckoutMethods({ accounts: live.accounts(), methods: live.methods() }),
  callersOf('admin/list-checkout-methods'),
);
