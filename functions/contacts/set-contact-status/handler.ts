import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { notFound } from '../../../shared/kit/not-found.ts';
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
    const accountId = await contacts.accountOf(path.id);
    const account = accountId === undefined ? undefined : await accounts.find(accountId);
    const contact = account && (await contacts.setStatus(account.ref, path.id, body.status, nowMs));
    if (!contact) throw notFound('contact_not_found');
    return contact;
  };
