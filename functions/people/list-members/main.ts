import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listMembersContract } from './contract.ts';
import { listMembers } from './handler.ts';

export const handler = endpoint(
  listMembersContract,
  listMembers({ accounts: live.accounts(), members: live.members() }),
  callersOf('people/list-members'),
);
