import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { addOperatorContract } from './contract.ts';
import { addOperator } from './handler.ts';

export const handler = endpoint(
  addOperatorContract,
  addOperator({ members: live.members() }),
  callersOf('people/add-operator'),
);
