import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { changeMemberContract } from './contract.ts';
import { changeMember } from './handler.ts';

export const handler = endpoint(
  changeMemberContract,
  changeMember({ members: live.members(), accessKeys: live.accessKeys() }),
  callersOf('people/change-member'),
);
