import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { revokeOperatorTokenContract } from './contract.ts';
import { revokeOperatorToken } from './handler.ts';

export const handler = endpoint(
  revokeOperatorTokenContract,
  revokeOperatorToken({ signIns: live.signIns(), accessKeys: live.accessKeys() }),
  callersOf('people/revoke-operator-token'),
);
