import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listDeliveriesContract } from './contract.ts';
import { listDeliveries } from './handler.ts';

export const handler = endpoint(
  listDeliveriesContract,
  listDeliveries({ accounts: live.accounts(), webhooks: live.allWebhooks(), deliveries: live.deliveries() }),
  callersOf('webhooks/list-deliveries'),
);
