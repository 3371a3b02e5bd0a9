import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listPaymentsContract } from './contract.ts';
import { listPayments } from './handler.ts';

export const handler = endpoint(
  listPaymentsContract,
  listPayments({ payments: live.payments(), methods: live.methods() }),
  callersOf('merchants/list-payments'),
);
