import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { adjustCreditsContract } from './contract.ts';
import { adjustCredits } from './handler.ts';

export const handler = endpoint(
  adjustCreditsContract,
  adjustCredits({ accounts: live.accounts(), credits: live.credits() }),
  callersOf('admin/adjust-credits'),
);
