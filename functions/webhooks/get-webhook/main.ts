import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getWebhookContract } from './contract.ts';
import { getWebhook } from './handler.ts';

export const handler = endpoint(
  getWebhookContract,
  getWebhook({ webhooks: live.webhooks() }),
  callersOf('webhooks/get-webhook'),
);
