import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listContactsContract } from './contract.ts';
import { listContacts } from './handler.ts';

export const handler = endpoint(
  listContactsContract,
  listContacts({ contacts: live.contacts() }),
  callersOf('contacts/list-contacts'),
);
