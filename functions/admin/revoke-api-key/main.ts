import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { revokeApiKeyContract } from './contract.ts';
import { revokeApiKey } from './handler.ts';

export const handler = endpoint(
  revokeApiKeyContract,
  revokeApiKey({ apiKeys: live.apiKeys() }),
  callersOf('admin/revoke-api-key'),
);
