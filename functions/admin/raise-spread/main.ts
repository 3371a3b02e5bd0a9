import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { raiseSpreadContract } from './contract.ts';
import { raiseSpread } from './handler.ts';

export const handler = endpoint(
  raiseSpreadContract,
  raiseSpread({ accounts: live.accounts(), credits: live.credits(), spreads: live.spreads() }),
  callersOf('admin/raise-spread'),
);
