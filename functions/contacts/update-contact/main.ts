import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { updateContactContract } from './contract.ts';
import { updateContact } from './handler.ts';

export const handler = endpoint(
  updateContactContract,
  updateContact({ contacts: live.contacts() }),
  callersOf('contacts/update-contact'),
);
