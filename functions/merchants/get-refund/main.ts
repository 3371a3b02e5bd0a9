import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getRefundContract } from './contract.ts';
import { getRefund } from './handler.ts';

export const handler = endpoint(
  getRefundContract,
  getRefund({ refunds: live.refunds() }),
  callersOf('merchants/get-refund'),
);
