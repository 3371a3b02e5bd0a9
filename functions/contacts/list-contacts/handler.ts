import { contactFilter } from '../../../shared/contacts/contact-filter.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { listContactsContract } from './contract.ts';

export interface ListContactsNeeds {
  readonly contacts: Pick<ContactStore, 'list'>;
}

/** One page of the contacts that pass every filter, with the exact number of all of them. */
export const listContacts =
  ({ contacts }: ListContactsNeeds) =>
  async ({ account, query }: Input<typeof listContactsContract>): Promise<Reply<typeof listContactsContract>> => {
    const { page, limit, sortBy, sortOrder } = query;
    const found = await contacts.list(account, {
      filter: contactFilter(query),
      sortBy,
      sortOrder,
      offset: (page - 1) * limit,
      limit,
    });
    const totalPages = Math.ceil(found.total / limit);
    return { data: found.contacts, pagination: { page, limit, total: found.total, totalPages } };
  };
