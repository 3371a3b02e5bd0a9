import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { addMemberContract } from './contract.ts';
import { addMember } from './handler.ts';

export const handler = endpoint(
  addMemberContract,
  addMember({ accounts: live.accounts(), members: live.members(), rates: live.rates() }),
  callersOf('people/add-member'),
);
