import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { retireContactContract } from './contract.ts';
import { retireContact } from './handler.ts';

export const handler = endpoint(
  retireContactContract,
  retireContact({ contacts: live.contacts() }),
  callersOf('contacts/retire-contact'),
);
