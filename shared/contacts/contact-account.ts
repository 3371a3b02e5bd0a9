import { existing } from '../kit/not-found.ts';

interface Lookups<Account> {
  readonly contacts: { accountOf(contactId: string): Promise<string | undefined> };
  readonly accounts: { find(accountId: string): Promise<Account | undefined> };
}

/**
 * The account of a contact, of which a path of the admin API has the id alone.
 * @throws Fault `contact_not_found`
 */
export const accountOfContact = async <Account extends object>(
  { contacts, accounts }: Lookups<Account>,
  contactId: string,
): Promise<Account> => {
  const accountId = await contacts.accountOf(contactId);
  return existing('contact_not_found', accountId === undefined ? undefined : await accounts.find(accountId));
};
