import type { Input, Reply } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { getContactContract } from './contract.ts';

export interface GetContactNeeds {
  readonly contacts: Pick<ContactStore, 'find'>;
}

/** One contact of the caller's account. Retired contacts and those of other accounts are not found. */
export const getContact =
  ({ contacts }: GetContactNeeds) =>
  async ({ account, path }: Input<typeof getContactContract>): Promise<Reply<typeof getContactContract>> => {
    return existing('contact_not_found', await contacts.find(account, path.id));
  };
