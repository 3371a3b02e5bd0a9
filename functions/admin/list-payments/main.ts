import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listPaymentsContract } from './contract.ts';
import { listPayments } from './handler.ts';

export const handler = endpoint(
  listPaymentsContract,
  listPayments({ accounts: live.accounts(), payments: live.payments() }),
  callersOf('admin/list-payments'),
);
