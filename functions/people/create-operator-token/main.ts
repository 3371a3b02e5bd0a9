import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createOperatorTokenContract } from './contract.ts';
import { createOperatorToken } from './handler.ts';

export const handler = endpoint(
  createOperatorTokenContract,
  createOperatorToken({ signIns: live.signIns() }),
  callersOf('people/create-operator-token'),
);
