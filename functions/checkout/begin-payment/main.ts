import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { beginPaymentContract } from './contract.ts';
import { beginPayment } from './handler.ts';

export const handler = endpoint(
  beginPaymentContract,
  beginPayment({
    sessions: live.sessions(),
    payments: live.payments(),
    methods: live.methods(),
    accounts: live.accounts(),
    resolver: live.simulatedResolver(),
    clock: Date.now,
    addresses: live.checkoutAddresses(),
  }),
  callersOf('checkout/begin-payment'),
);
