import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listWebhooksContract } from './contract.ts';
import { listWebhooks } from './handler.ts';

export const handler = endpoint(
  listWebhooksContract,
  listWebhooks({ webhooks: live.webhooks() }),
  callersOf('webhooks/list-webhooks'),
);
