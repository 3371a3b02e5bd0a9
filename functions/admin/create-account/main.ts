import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createAccountContract } from './contract.ts';
import { createAccount } from './handler.ts';

export const handler = endpoint(
  createAccountContract,
  createAccount({ accounts: live.accounts(), dataKeys: live.dataKeys() }),
  callersOf('admin/create-account'),
);
