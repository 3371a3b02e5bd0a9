import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listSessionsContract } from './contract.ts';
import { listSessions } from './handler.ts';

export const handler = endpoint(
  listSessionsContract,
  listSessions({ signIns: live.signIns() }),
  callersOf('people/list-sessions'),
);
