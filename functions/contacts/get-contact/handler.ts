import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { getContactContract } from './contract.ts';

export interface GetContactNeeds {
  readonly contacts: Pick<ContactStore, 'find'>;
}

/** One contact of the caller's account. A retired one and another account's are as unknown as none. */
export const getContact =
  ({ contacts }: GetContactNeeds) =>
  async ({ account, path }: Input<typeof getContactContract>): Promise<Reply<typeof getContactContract>> => {
    const contact = await contacts.find(account, path.id);
    if (!contact) throw new Fault('contact_not_found', 'No contact has this id.');
    return contact;
  };
