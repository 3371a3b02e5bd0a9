import { afterLeaving, consentChannels, standingOn } from '../../../shared/compliance/consent.ts';
import { accountOfContact } from '../../../shared/contacts/contact-account.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { ConsentStore } from '../../../shared/table/contacts/consent-store.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { listConsentsContract } from './contract.ts';

export interface ListConsentsNeeds {
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly contacts: Pick<ContactStore, 'accountOf' | 'find'>;
  readonly consents: Pick<ConsentStore, 'list'>;
}

/** The consents and withdrawals of a contact of any account, by channel. */
export const listConsents =
  ({ accounts, contacts, consents }: ListConsentsNeeds) =>
  async ({ path }: RequestOf<typeof listConsentsContract>): Promise<Reply<typeof listConsentsContract>> => {
    const account = await accountOfContact({ accounts, contacts }, path.id);
    const contact = existing('contact_not_found', await contacts.find(account.ref, path.id));
    const history = await consents.list(account.ref, contact.id);
    const current = consentChannels
      .map((channel) => standingOn(channel, history))
      .filter((entry) => entry !== undefined);
    return { current: current.map((entry) => afterLeaving(entry, contact)), history };
  };
