import { newContactId, takenText } from '../../../shared/contacts/contact.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { createContactsContract } from './contract.ts';

export interface CreateContactsNeeds {
  readonly contacts: Pick<ContactStore, 'createAll'>;
}

type Answer = Reply<typeof createContactsContract>;
type Result = Answer['results'][number];

/** Creates all valid rows. A row's id depends on its position and details, so a repeated call finds the contacts of an earlier one. */
export const createContacts =
  ({ contacts }: CreateContactsNeeds) =>
  async ({ account, body, newId, nowMs }: Input<typeof createContactsContract>): Promise<Answer> => {
    const valid = body.contacts.flatMap((row, index) =>
      'error' in row ? [] : [{ id: newContactId(newId, row.details, index), details: row.details }],
    );
    const left = (await contacts.createAll(account, valid, nowMs)).values();
    const results = body.contacts.map((row, index): Result => {
      if ('error' in row) return { index, status: 'error', error: row.error };
      const { taken = [], id = '' } = left.next().value ?? {};
      return taken.length > 0
        ? { index, status: 'duplicate', error: takenText(taken) }
        : { index, status: 'created', id };
    });
    const count = (status: string) => results.filter((result) => result.status === status).length;
    return {
      total: results.length,
      created: count('created'),
      duplicates: count('duplicate'),
      errors: count('error'),
      results,
    };
  };
