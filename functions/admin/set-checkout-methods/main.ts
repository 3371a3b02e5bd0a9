import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { setCheckoutMethodsContract } from './contract.ts';
import { setCheckoutMethods } from './handler.ts';

export const handler = endpoint(
  setCheckoutMethodsContract,
  setCheckoutMethods({ accounts: live.accounts(), methods: live.methods() }),
  callersOf('admin/set-checkout-methods'),
);
