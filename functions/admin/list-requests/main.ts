import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listRequestsContract } from './contract.ts';
import { listRequests } from './handler.ts';

export const handler = endpoint(
  listRequestsContract,
  listRequests({ requests: live.requestLog() }),
  callersOf('admin/list-requests'),
);
