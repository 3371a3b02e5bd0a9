import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listCreditChangesContract } from './contract.ts';
import { listCreditChanges } from './handler.ts';

export const handler = endpoint(
  listCreditChangesContract,
  listCreditChanges({ credits: live.credits() }),
  callersOf('admin/list-credit-changes'),
);
