import { detailsOf, newContactId, takenText } from '../../../shared/contacts/contact.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { createContactContract } from './contract.ts';

export interface CreateContactNeeds {
  readonly contacts: Pick<ContactStore, 'create'>;
}

/** Creates an active contact whose email and phone no other contact holds. */
export const createContact =
  ({ contacts }: CreateContactNeeds) =>
  async ({
    account,
    body,
    newId,
    nowMs,
  }: Input<typeof createContactContract>): Promise<Reply<typeof createContactContract>> => {
    const details = detailsOf(body);
    const written = await contacts.create(account, { id: newContactId(newId, details), details }, nowMs);
    if ('taken' in written) throw new Fault('conflict', takenText(written.taken));
    return written.contact;
  };
