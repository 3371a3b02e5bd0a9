import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createContactsContract } from './contract.ts';
import { createContacts } from './handler.ts';

export const handler = endpoint(
  createContactsContract,
  createContacts({ contacts: live.contacts() }),
  callersOf('contacts/create-contacts'),
);
