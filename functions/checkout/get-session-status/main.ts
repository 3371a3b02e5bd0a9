import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getSessionStatusContract } from './contract.ts';
import { getSessionStatus } from './handler.ts';

export const handler = endpoint(
  getSessionStatusContract,
  getSessionStatus({
    sessions: live.sessions(),
    payments: live.payments(),
    resolver: live.simulatedResolver(),
    paymentsQueue: live.paymentsQueue(),
  }),
  callersOf('checkout/get-session-status'),
);
