import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { removeMemberContract } from './contract.ts';
import { removeMember } from './handler.ts';

export const handler = endpoint(
  removeMemberContract,
  removeMember({ members: live.members(), accessKeys: live.accessKeys() }),
  callersOf('people/remove-member'),
);
