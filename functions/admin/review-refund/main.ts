import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { reviewRefundContract } from './contract.ts';
import { reviewRefund } from './handler.ts';

export const handler = endpoint(
  reviewRefundContract,
  reviewRefund({ payments: live.payments(), refunds: live.refunds() }),
  callersOf('admin/review-refund'),
);
