import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { reviewPaymentContract } from './contract.ts';
import { reviewPayment } from './handler.ts';

export const handler = endpoint(
  reviewPaymentContract,
  reviewPayment({ accounts: live.accounts(), payments: live.payments() }),
  callersOf('admin/review-payment'),
);
