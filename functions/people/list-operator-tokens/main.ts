import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listOperatorTokensContract } from './contract.ts';
import { listOperatorTokens } from './handler.ts';

export const handler = endpoint(
  listOperatorTokensContract,
  listOperatorTokens({ signIns: live.signIns() }),
  callersOf('people/list-operator-tokens'),
);
