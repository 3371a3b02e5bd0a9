import type { Input, Reply } from '../../../shared/http/contract.ts';
import { notFound } from '../../../shared/kit/not-found.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { retireContactContract } from './contract.ts';

export interface RetireContactNeeds {
  readonly contacts: Pick<ContactStore, 'retire'>;
}

/** Retires a contact, once. It cannot be found afterwards; its email stays taken, and an opt-out stays with its phone. */
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
