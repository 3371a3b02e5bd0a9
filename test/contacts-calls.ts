import { createContactContract } from '../functions/contacts/create-contact/contract.ts';
import { createContact } from '../functions/contacts/create-contact/handler.ts';
import { createContactsContract } from '../functions/contacts/create-contacts/contract.ts';
import { createContacts } from '../functions/contacts/create-contacts/handler.ts';
import { getContactContract } from '../functions/contacts/get-contact/contract.ts';
import { getContact } from '../functions/contacts/get-contact/handler.ts';
import { listContactsContract } from '../functions/contacts/list-contacts/contract.ts';
import { listContacts } from '../functions/contacts/list-contacts/handler.ts';
import { retireContactContract } from '../functions/contacts/retire-contact/contract.ts';
import { retireContact } from '../functions/contacts/retire-contact/handler.ts';
import { setConsentContract } from '../functions/contacts/set-consent/contract.ts';
import { setConsent } from '../functions/contacts/set-consent/handler.ts';
import { setContactStatusContract } from '../functions/contacts/set-contact-status/contract.ts';
import { setContactStatus } from '../functions/contacts/set-contact-status/handler.ts';
import { updateContactContract } from '../functions/contacts/update-contact/contract.ts';
import { updateContact } from '../functions/contacts/update-contact/handler.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { keylessSurface } from '../shared/http/keyless-surface.ts';
import type { Clock } from '../shared/kit/time.ts';
import { call } from './call.ts';
import type { World } from './world.ts';

/** Client calls of the contact endpoints. */
export const contactCalls = (world: World, clock: Clock = Date.now) => {
  const readers = world.callers('contacts:read');
  const writers = world.callers('contacts:write');
  const handlers = {
    create: endpoint(createContactContract, createContact(world), writers, clock),
    createAll: endpoint(createContactsContract, createContacts(world), writers, clock),
    list: endpoint(listContactsContract, listContacts(world), readers, clock),
    get: endpoint(getContactContract, getContact(world), readers, clock),
    update: endpoint(updateContactContract, updateContact(world), writers, clock),
    retire: endpoint(retireContactContract, retireContact(world), writers, clock),
    setStatus: endpoint(setContactStatusContract, setContactStatus(world), keylessSurface, clock),
    setConsent: endpoint(setConsentContract, setConsent(world), keylessSurface, clock),
  };

  return {
    create: (key: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      call(handlers.create, { key, body, headers }),
    createAll: (key: string, contacts: unknown, headers: Readonly<Record<string, string>> = {}) =>
      call(handlers.createAll, { key, body: { contacts }, headers }),
    list: (key: string, query: Readonly<Record<string, string>> = {}) => call(handlers.list, { key, query }),
    get: (key: string, id: string) => call(handlers.get, { key, path: { id } }),
    update: (key: string, id: string, body: unknown) => call(handlers.update, { key, path: { id }, body }),
    retire: (key: string, id: string) => call(handlers.retire, { key, path: { id } }),
    setStatus: (id: string, status: unknown) => call(handlers.setStatus, { path: { id }, body: { status } }),
    setConsent: (id: string, channel: string, body: unknown) =>
      call(handlers.setConsent, { path: { id, channel }, body }),
  };
};

export type ContactCalls = ReturnType<typeof contactCalls>;
