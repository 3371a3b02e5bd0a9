import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createWebhookContract } from './contract.ts';
import { createWebhook } from './handler.ts';

export const handler = endpoint(
  createWebhookContract,
  createWebhook({ accounts: live.accounts(), webhooks: live.webhooks() }),
  callersOf('webhooks/create-webhook'),
);
