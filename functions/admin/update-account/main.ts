import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { updateAccountContract } from './contract.ts';
import { updateAccount } from './handler.ts';

export const handler = endpoint(
  updateAccountContract,
  updateAccount({ accounts: live.accounts(), logos: live.logos(), fetchLogo: live.fetchLogo() }),
  callersOf('admin/update-account'),
);
