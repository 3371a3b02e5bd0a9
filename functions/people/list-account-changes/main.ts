import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listAccountChangesContract } from './contract.ts';
import { listAccountChanges } from './handler.ts';

export const handler = endpoint(
  listAccountChangesContract,
  listAccountChanges({ audit: live.audit() }),
  callersOf('people/list-account-changes'),
);
