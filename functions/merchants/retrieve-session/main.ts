import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { retrieveSessionContract } from './contract.ts';
import { retrieveSession } from './handler.ts';

export const handler = endpoint(
  retrieveSessionContract,
  retrieveSession({
    sessions: live.sessions(),
    payments: live.payments(),
    methods: live.methods(),
    addresses: live.checkoutAddresses(),
  }),
  callersOf('merchants/retrieve-session'),
);
