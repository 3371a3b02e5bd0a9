import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { listConsentsContract } from './contract.ts';
import { listConsents } from './handler.ts';

export const handler = endpoint(
  listConsentsContract,
  listConsents({ accounts: live.accounts(), contacts: live.contacts(), consents: live.consents() }),
  callersOf('contacts/list-consents'),
);
