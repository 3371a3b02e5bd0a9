import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { createContactContract } from './contract.ts';
import { createContact } from './handler.ts';

export const handler = endpoint(
  createContactContract,
  createContact({ contacts: live.contacts() }),
  callersOf('contacts/create-contact'),
);
