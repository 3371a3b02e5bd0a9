import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getContactContract } from './contract.ts';
import { getContact } from './handler.ts';

export const handler = endpoint(
  getContactContract,
  getContact({ contacts: live.contacts() }),
  callersOf('contacts/get-contact'),
);
