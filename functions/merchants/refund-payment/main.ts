import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { refundPaymentContract } from './contract.ts';
import { refundPayment } from './handler.ts';

export const handler = endpoint(
  refundPaymentContract,
  refundPayment({ payments: live.payments(), refunds: live.refunds() }),
  callersOf('merchants/refund-payment'),
);
