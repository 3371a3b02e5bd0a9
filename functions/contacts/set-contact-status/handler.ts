import { accountOfContact } from '../../../shared/contacts/contact-account.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { setContactStatusContract } from './contract.ts';

export interface SetContactStatusNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly contacts: Pick<ContactStore, 'accountOf' | 'setStatus'>;
}

/** Sets any status on a contact of any account. */
export const setContactStatus =
  ({ accounts, contacts }: SetContactStatusNeeds) =>
  async ({
    path,
    body,
    nowMs,
  }: RequestOf<typeof setContactStatusContract>): Promise<Reply<typeof setContactStatusContract>> => {
    const account = await accountOfContact({ accounts, contacts }, path.id);
    return existing('contact_not_found', await contacts.setStatus(account.ref, path.id, body.status, nowMs));
  };
