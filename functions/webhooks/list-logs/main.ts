import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listLogsContract } from './contract.ts';
import { listLogs } from './handler.ts';

export const handler = endpoint(
  listLogsContract,
  listLogs({ webhooks: live.webhooks(), deliveries: live.deliveries() }),
  callersOf('webhooks/list-logs'),
);
