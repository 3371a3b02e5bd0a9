import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createSuppressionContract } from './contract.ts';
import { createSuppression } from './handler.ts';

export const handler = endpoint(
  createSuppressionContract,
  createSuppression({ suppressions: live.suppressions() }),
  callersOf('suppressions/create-suppression'),
);
