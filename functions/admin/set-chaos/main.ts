import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { setChaosContract } from './contract.ts';
import { setChaos } from './handler.ts';

export const handler = endpoint(
  setChaosContract,
  setChaos({ sessions: live.sessions() }),
  callersOf('admin/set-chaos'),
);
