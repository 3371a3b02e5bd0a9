import type { Input, Reply } from '../../../shared/http/contract.ts';
import { notFound } from '../../../shared/kit/not-found.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { retireContactContract } from './contract.ts';

export interface RetireContactNeeds {
  readonly contacts: Pick<ContactStore, 'retire'>;
}

/** Retires a contact, once: afterwards it is as unknown as if it had never been, but for its email, which stays held. */
export const retireContact =
  ({ contacts }: RetireContactNeeds) =>
  async ({
    account,
    path,
    nowMs,
  }: Input<typeof retireContactContract>): Promise<Reply<typeof retireContactContract>> => {
    const isRetired = await contacts.retire(account, path.id, nowMs);
    if (!isRetired) throw notFound('contact_not_found');
  };
