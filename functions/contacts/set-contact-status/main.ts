import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { setContactStatusContract } from './contract.ts';
import { setContactStatus } from './handler.ts';

export const handler = endpoint(
  setContactStatusContract,
  setContactStatus({ accounts: live.accounts(), contacts: live.contacts() }),
  callersOf('contacts/set-contact-status'),
);
