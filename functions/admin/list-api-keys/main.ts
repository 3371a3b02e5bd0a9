import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listApiKeysContract } from './contract.ts';
import { listApiKeys } from './handler.ts';

export const handler = endpoint(
  listApiKeysContract,
  listApiKeys({ accounts: live.accounts(), apiKeys: live.apiKeys() }),
  callersOf('admin/list-api-keys'),
);
