import { takenText } from '../../../shared/contacts/contact.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { nthId } from '../../../shared/kit/id.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { createContactsContract } from './contract.ts';

export interface CreateContactsNeeds {
  readonly contacts: Pick<ContactStore, 'createAll'>;
}

type Answer = Reply<typeof createContactsContract>;
type Result = Answer['results'][number];

/** Creates all valid rows. A row's id depends only on its position, so a repeated call finds the contacts of an earlier one. */
export const createContacts =
  ({ contacts }: CreateContactsNeeds) =>
  async ({ account, body, newId, nowMs }: Input<typeof createContactsContract>): Promise<Answer> => {
    const valid = body.contacts.flatMap((row, index) =>
      'error' in row ? [] : [{ id: nthId(newId, index), details: row.details }],
    );
    const taken = await contacts.createAll(account, valid, nowMs);
    const takenFor = new Map(valid.map(({ id }, n) => [id, taken[n] ?? []]));
    const results = body.contacts.map((row, index): Result => {
      if ('error' in row) return { index, status: 'error', error: row.error };
      const id = nthId(newId, index);
      const by = takenFor.get(id) ?? [];
      return by.length > 0 ? { index, status: 'duplicate', error: takenText(by) } : { index, status: 'created', id };
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
