import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { updateWebhookContract } from './contract.ts';
import { updateWebhook } from './handler.ts';

export const handler = endpoint(
  updateWebhookContract,
  updateWebhook({ webhooks: live.webhooks() }),
  callersOf('webhooks/update-webhook'),
);
