import { consentChannels, standingOn } from '../../../shared/compliance/consent.ts';
import { consentHistory } from '../../../shared/compliance/consent-history.ts';
import { accountOfContact } from '../../../shared/contacts/contact-account.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { bytesInAnswer, rowsThatFit } from '../../../shared/kit/cursor-page.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { ConsentStore } from '../../../shared/table/contacts/consent-store.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { listConsentsContract } from './contract.ts';

export interface ListConsentsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly contacts: Pick<ContactStore, 'accountOf' | 'find'>;
  readonly consents: Pick<ConsentStore, 'list' | 'optOutOf'>;
}

/** The consents and withdrawals of a contact of any account, by channel. */
export const listConsents =
  ({ accounts, contacts, consents }: ListConsentsNeeds) =>
  async ({ path }: RequestOf<typeof listConsentsContract>): Promise<Reply<typeof listConsentsContract>> => {
    const account = await accountOfContact({ accounts, contacts }, path.id);
    const contact = existing('contact_not_found', await contacts.find(account.ref, path.id));
    const [entries, said] = await Promise.all([
      consents.list(account.ref, contact.id),
      consents.optOutOf(account.ref, contact.phone),
    ]);
    const history = consentHistory(entries, contact, said);
    const current = consentChannels.map((channel) => standingOn(channel, history));
    const fitting = history.slice(0, rowsThatFit(history, bytesInAnswer));
    return { current: current.filter((entry) => entry !== undefined), history: fitting };
  };
