import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listOperatorsContract } from './contract.ts';
import { listOperators } from './handler.ts';

export const handler = endpoint(
  listOperatorsContract,
  listOperators({ members: live.members() }),
  callersOf('people/list-operators'),
);
