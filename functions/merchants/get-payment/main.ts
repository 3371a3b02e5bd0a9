import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getPaymentContract } from './contract.ts';
import { getPayment } from './handler.ts';

export const handler = endpoint(
  getPaymentContract,
  getPayment({ payments: live.payments(), methods: live.methods() }),
  callersOf('merchants/get-payment'),
);
