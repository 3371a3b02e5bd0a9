import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { deleteWebhookContract } from './contract.ts';
import { deleteWebhook } from './handler.ts';

export const handler = endpoint(
  deleteWebhookContract,
  deleteWebhook({ webhooks: live.webhooks(), deletedWebhooksQueue: live.deletedWebhooksQueue() }),
  callersOf('webhooks/delete-webhook'),
);
