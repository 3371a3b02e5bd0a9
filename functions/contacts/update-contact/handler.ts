import { changed, takenText } from '../../../shared/contacts/contact.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { updateContactContract } from './contract.ts';

export interface UpdateContactNeeds {
  readonly contacts: Pick<ContactStore, 'change'>;
}

/** Omitted fields are unchanged. A new email or phone must be free, and releases the old one. */
export const updateContact =
  ({ contacts }: UpdateContactNeeds) =>
  async ({
    account,
    path,
    body,
    nowMs,
  }: Input<typeof updateContactContract>): Promise<Reply<typeof updateContactContract>> => {
    const written = existing(
      'contact_not_found',
      await contacts.change(account, path.id, (before) => changed(before, body, nowMs)),
    );
    if ('taken' in written) throw new Fault('conflict', takenText(written.taken));
    return written.contact;
  };
