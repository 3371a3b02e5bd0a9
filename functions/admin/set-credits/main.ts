import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { setCreditsContract } from './contract.ts';
import { setCredits } from './handler.ts';

export const handler = endpoint(
  setCreditsContract,
  setCredits({ credits: live.credits() }),
  callersOf('admin/set-credits'),
);
