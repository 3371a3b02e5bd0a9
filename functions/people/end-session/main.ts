import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { endSessionContract } from './contract.ts';
import { endSession } from './handler.ts';

export const handler = endpoint(
  endSessionContract,
  endSession({ signIns: live.signIns(), accessKeys: live.accessKeys() }),
  callersOf('people/end-session'),
);
