import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { setting } from '../../../shared/kit/setting.ts';
import * as live from '../../../shared/live.ts';
import { createSessionContract } from './contract.ts';
import { createSession } from './handler.ts';

export const handler = endpoint(
  createSessionContract,
  createSession({
    sessions: live.sessions(),

    methods: live.methods(),
    addresses: live.checkoutAddresses(),
    lifetimeSeconds: Number(setting('CHECKOUT_SESSION_TTL')),
  }),
  callersOf('checkout/create-session'),
);
