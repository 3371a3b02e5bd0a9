import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createApiKeyContract } from './contract.ts';
import { createApiKey } from './handler.ts';

export const handler = endpoint(
  createApiKeyContract,
  createApiKey({ accounts: live.accounts(), apiKeys: live.apiKeys() }),
  callersOf('admin/create-api-key'),
);
