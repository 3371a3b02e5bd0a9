import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { removeOperatorContract } from './contract.ts';
import { removeOperator } from './handler.ts';

export const handler = endpoint(
  removeOperatorContract,
  removeOperator({ members: live.members(), accessKeys: live.accessKeys() }),
  callersOf('people/remove-operator'),
);
