import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listRefundsContract } from './contract.ts';
import { listRefunds } from './handler.ts';

export const handler = endpoint(
  listRefundsContract,
  listRefunds({ payments: live.payments(), refunds: live.refunds() }),
  callersOf('admin/list-refunds'),
);
