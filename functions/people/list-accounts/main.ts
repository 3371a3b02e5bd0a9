import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listAccountsContract } from './contract.ts';
import { listAccounts } from './handler.ts';

export const handler = endpoint(
  listAccountsContract,
  listAccounts({ accounts: live.accounts() }),
  callersOf('people/list-accounts'),
);
