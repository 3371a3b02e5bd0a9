import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { expireSessionContract } from './contract.ts';
import { expireSession } from './handler.ts';

export const handler = endpoint(
  expireSessionContract,
  expireSession({
    sessions: live.sessions(),
    payments: live.payments(),
    methods: live.methods(),
    resolver: live.resolver(),
    addresses: live.checkoutAddresses(),
    clock: Date.now,
  }),
  callersOf('merchants/expire-session'),
);
