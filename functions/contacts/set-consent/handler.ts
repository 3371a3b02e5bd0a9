import type { ConsentEntry } from '../../../shared/compliance/consent.ts';
import { accountOfContact } from '../../../shared/contacts/contact-account.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { notFound } from '../../../shared/kit/not-found.ts';
import { iso } from '../../../shared/kit/time.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { ConsentStore } from '../../../shared/table/contacts/consent-store.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { setConsentContract } from './contract.ts';

export interface SetConsentNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly contacts: Pick<ContactStore, 'accountOf'>;
  readonly consents: Pick<ConsentStore, 'record' | 'standing'>;
}

/** Adds a consent or withdrawal for a contact of any account. Earlier entries are kept unchanged. */
export const setConsent =
  ({ accounts, contacts, consents }: SetConsentNeeds) =>
  async ({
    path,
    body,
    newId,
    nowMs,
  }: RequestOf<typeof setConsentContract>): Promise<Reply<typeof setConsentContract>> => {
    const account = await accountOfContact({ accounts, contacts }, path.id);
    const entry: ConsentEntry = { ...body, id: newId, channel: path.channel, by: 'operator', at: iso(nowMs) };
    const isRecorded = await consents.record(account.ref, path.id, entry);
    if (!isRecorded) throw notFound('contact_not_found');
    return (await consents.standing(account.ref, path.id, path.channel)) ?? entry;
  };
