import { recipientDetails } from '../contacts/contact.ts';
import type { AccountRef } from '../kit/account-ref.ts';
import type { Cipher, Vault } from '../kit/cipher.ts';
import { isId, nthId } from '../kit/id.ts';
import type { AcceptedMessage } from '../messages/accept.ts';
import type { Recipient } from '../messages/recipient.ts';
import { accountFrom, type StoredAccount } from './account-storage.ts';
import { emailLockKey, phoneLockKey } from './contact-items.ts';
import { createWrites } from './contact-writes.ts';
import { type ItemKey, itemKeys } from './keys.ts';
import { acceptWrites } from './message-storage.ts';
import type { Item, Table } from './table.ts';
import { type SendableTemplate, sendableFrom, sendableKeys } from './template-storage.ts';

/** The contact that holds a recipient's address. A retired one still holds its email. */
export interface Holder {
  readonly contactId: string;
  readonly isRetired: boolean;
}

export interface SendContext {
  readonly settings: StoredAccount;
  readonly holder: Holder | undefined;
  readonly template: SendableTemplate | undefined;
}

type Contact = Recipient['contact'];

/** `exists`: an earlier try under the same idempotency key has already written the message. */
export type Acceptance = 'accepted' | 'unfunded' | 'retired' | 'exists';

const lockKey = (accountId: string, cipher: Cipher, contact: Contact) =>
  'email' in contact ? emailLockKey(accountId, cipher, contact.email) : phoneLockKey(accountId, cipher, contact.phone);

const holderFrom = (lock: Item | undefined): Holder | undefined =>
  lock && { contactId: String(lock['contactId']), isRetired: lock['isRetired'] === true };

const isMessage = 0;
const isCredits = 1;

/** What a send has to know, in one read, and what it writes, in one transaction. */
export const sendStorage = (table: Table, vault: Vault) => {
  const findEach = async (keys: readonly (ItemKey | undefined)[]): Promise<(Item | undefined)[]> => {
    const found = (await table.getAll(keys.filter((key) => key !== undefined))).values();
    return keys.map((key) => key && found.next().value);
  };

  const accept = async (
    account: AccountRef,
    message: AcceptedMessage,
    contact: Contact,
    holder: Holder | undefined,
  ): Promise<Acceptance> => {
    if (holder?.isRetired) return 'retired';
    const cipher = await vault.unlock(account);
    const newContactId = nthId(message.id, 1);
    const creation = holder
      ? []
      : createWrites(account.id, cipher, newContactId, recipientDetails(contact), Date.parse(message.createdAt));
    const refused = await table.transact([
      ...acceptWrites(account.id, cipher, message, holder?.contactId ?? newContactId),
      ...creation,
    ]);
    if (!refused) return 'accepted';
    const positions = refused.failed.map(({ position }) => position);
    if (positions.includes(isMessage)) return 'exists';
    if (positions.includes(isCredits)) return 'unfunded';
    // Another request has just created the contact: its lock says who it is.
    const lock = refused.failed.find(({ item }) => item?.['contactId'])?.item;
    if (!lock) throw new Error('the id for a new contact is used up');
    return accept(account, message, contact, holderFrom(lock));
  };

  return {
    /** What is left out, or cannot be the id of a template, is not looked for. */
    prepare: async (account: AccountRef, contact: Contact | undefined, templateId?: string): Promise<SendContext> => {
      const cipher = await vault.unlock(account);
      const template = templateId !== undefined && isId(templateId) ? sendableKeys(account.id, templateId) : [];
      const [settings, lock, row, firstPart] = await findEach([
        itemKeys.account(account.id),
        contact && lockKey(account.id, cipher, contact),
        ...template,
      ]);
      if (!settings) throw new Error('an API key belongs to an account that is not there');
      return {
        settings: await accountFrom(settings, vault),
        holder: holderFrom(lock),
        template: row && (await sendableFrom(table, account.id, cipher, row, firstPart)),
      };
    },
    accept,
  };
};

export type Sends = ReturnType<typeof sendStorage>;
