import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { testWebhookContract } from './contract.ts';
import { testWebhook } from './handler.ts';

export const handler = endpoint(
  testWebhookContract,
  testWebhook({
    webhooks: live.webhooks(),
    attempts: live.attempts(),
    rates: live.rates(),
    webhookTarget: live.webhookTarget(),
  }),
  callersOf('webhooks/test-webhook'),
);
