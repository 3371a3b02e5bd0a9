import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { rotateSecretContract } from './contract.ts';
import { rotateSecret } from './handler.ts';

export const handler = endpoint(
  rotateSecretContract,
  rotateSecret({ webhooks: live.webhooks() }),
  callersOf('webhooks/rotate-secret'),
);
