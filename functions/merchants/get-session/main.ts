import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getSessionContract } from './contract.ts';
import { getSession } from './handler.ts';

export const handler = endpoint(
  getSessionContract,
  getSession({
    sessions: live.sessions(),
    payments: live.payments(),
    methods: live.methods(),
    addresses: live.checkoutAddresses(),
  }),
  callersOf('merchants/get-session'),
);
