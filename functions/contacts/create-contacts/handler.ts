import { takenText } from '../../../shared/contacts/contact.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { nthId } from '../../../shared/kit/id.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { createContactsContract } from './contract.ts';

export interface CreateContactsNeeds {
  readonly contacts: Pick<ContactStore, 'createInTurn'>;
}

type Answer = Reply<typeof createContactsContract>;

/** Creates all valid rows. A row's id depends only on its position, so a repeated call finds the contacts of an earlier one. */
export const createContacts =
  ({ contacts }: CreateContactsNeeds) =>
  async ({ account, body, newId, nowMs }: Input<typeof createContactsContract>): Promise<Answer> => {
    const create = await contacts.createInTurn(account, nowMs);
    const results = await Promise.all(
      body.contacts.map(async (row, index): Promise<Answer['results'][number]> => {
        if ('error' in row) return { index, status: 'error', error: row.error };
        const written = await create({ id: nthId(newId, index), details: row.details });
        return 'taken' in written
          ? { index, status: 'duplicate', error: takenText(written.taken) }
          : { index, status: 'created', id: written.contact.id };
      }),
    );
    const count = (status: string) => results.filter((result) => result.status === status).length;
    return {
      total: results.length,
      created: count('created'),
      duplicates: count('duplicate'),
      errors: count('error'),
      results,
    };
  };
