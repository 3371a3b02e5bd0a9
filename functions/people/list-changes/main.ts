import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listChangesContract } from './contract.ts';
import { listChanges } from './handler.ts';

export const handler = endpoint(
  listChangesContract,
  listChanges({ audit: live.audit() }),
  callersOf('people/list-changes'),
);
