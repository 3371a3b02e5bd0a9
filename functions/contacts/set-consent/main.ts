import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { setConsentContract } from './contract.ts';
import { setConsent } from './handler.ts';

export const handler = endpoint(
  setConsentContract,
  setConsent({ accounts: live.accounts(), contacts: live.contacts(), consents: live.consents() }),
  callersOf('contacts/set-consent'),
);
