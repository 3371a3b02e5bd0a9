import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { regenerateSecretContract } from './contract.ts';
import { regenerateSecret } from './handler.ts';

export const handler = endpoint(
  regenerateSecretContract,
  regenerateSecret({ webhooks: live.webhooks() }),
  callersOf('webhooks/regenerate-secret'),
);
