import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { signOutContract } from './contract.ts';
import { signOut } from './handler.ts';

export const handler = endpoint(
  signOutContract,
  signOut({ signIns: live.signIns(), accessKeys: live.accessKeys() }),
  callersOf('people/sign-out'),
);
