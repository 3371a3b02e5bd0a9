import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { deleteSuppressionContract } from './contract.ts';
import { deleteSuppression } from './handler.ts';

export const handler = endpoint(
  deleteSuppressionContract,
  deleteSuppression({ suppressions: live.suppressions() }),
  callersOf('suppressions/delete-suppression'),
);
