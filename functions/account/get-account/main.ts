import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getAccountContract } from './contract.ts';
import { getAccount } from './handler.ts';

export const handler = endpoint(
  getAccountContract,
  getAccount({ accounts: live.accounts() }),
  callersOf('account/get-account'),
);
