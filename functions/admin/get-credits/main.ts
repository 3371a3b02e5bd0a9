import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getCreditsContract } from './contract.ts';
import { getCredits } from './handler.ts';

export const handler = endpoint(
  getCreditsContract,
  getCredits({ accounts: live.accounts() }),
  callersOf('admin/get-credits'),
);
