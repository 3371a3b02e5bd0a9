import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listWebhooksContract } from './contract.ts';
import { listWebhooks } from './handler.ts';

export const handler = endpoint(
  listWebhooksContract,
  listWebhooks({ accounts: live.accounts(), webhooks: live.webhooks() }),
  callersOf('admin/list-webhooks'),
);
