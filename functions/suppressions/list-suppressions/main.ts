import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listSuppressionsContract } from './contract.ts';
import { listSuppressions } from './handler.ts';

export const handler = endpoint(
  listSuppressionsContract,
  listSuppressions({ suppressions: live.suppressions() }),
  callersOf('suppressions/list-suppressions'),
);
