import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createRefundContract } from './contract.ts';
import { createRefund } from './handler.ts';

export const handler = endpoint(
  createRefundContract,
  createRefund({ payments: live.payments(), refunds: live.refunds() }),
  callersOf('admin/create-refund'),
);
