import { recipientDetails } from '../contacts/contact.ts';
import type { AccountRef } from '../kit/account-ref.ts';
import type { Cipher, Vault } from '../kit/cipher.ts';
import { nthId } from '../kit/id.ts';
import type { AcceptedMessage } from '../messages/accept.ts';
import { accountFrom, type StoredAccount } from './account-storage.ts';
import { createWrites, emailLockKey, phoneLockKey } from './contact-writes.ts';
import { itemKeys } from './keys.ts';
import { acceptWrites } from './message-storage.ts';
import type { Item, Table } from './table.ts';

/** Who a message goes to, in the form that contacts are looked up by. */
export type Recipient = { readonly email: string } | { readonly phone: string };

/** The contact that holds a recipient's address. A retired one still holds its email. */
export interface Holder {
  readonly contactId: string;
  readonly isRetired: boolean;
}

export interface SendContext {
  readonly settings: StoredAccount;
  readonly holder: Holder | undefined;
}

/** `exists`: an earlier try under the same idempotency key has already written the message. */
export type Acceptance = 'accepted' | 'unfunded' | 'retired' | 'exists';

const lockKey = (accountId: string, cipher: Cipher, recipient: Recipient) =>
  'email' in recipient
    ? emailLockKey(accountId, cipher, recipient.email)
    : phoneLockKey(accountId, cipher, recipient.phone);

const holderFrom = (lock: Item | undefined): Holder | undefined =>
  lock && { contactId: String(lock['contactId']), isRetired: lock['isRetired'] === true };

const isMessage = 0;
const isCredits = 1;

/** What a send has to know, in one read, and what it writes, in one transaction. */
export const sendStorage = (table: Table, vault: Vault) => {
  const accept = async (
    account: AccountRef,
    message: AcceptedMessage,
    recipient: Recipient,
    holder: Holder | undefined,
  ): Promise<Acceptance> => {
    if (holder?.isRetired) return 'retired';
    const cipher = await vault.unlock(account);
    const newContactId = nthId(message.id, 1);
    const creation = holder
      ? []
      : createWrites(account.id, cipher, newContactId, recipientDetails(recipient), Date.parse(message.createdAt));
    const refused = await table.transact([
      ...acceptWrites(account.id, cipher, message, holder?.contactId ?? newContactId),
      ...creation,
    ]);
    if (!refused) return 'accepted';
    const positions = refused.failed.map(({ position }) => position);
    if (positions.includes(isMessage)) return 'exists';
    if (positions.includes(isCredits)) return 'unfunded';
    // Another request has just created the contact: its lock says who it is.
    return accept(
      account,
      message,
      recipient,
      holderFrom(refused.failed.find(({ item }) => item?.['contactId'])?.item),
    );
  };

  return {
    prepare: async (account: AccountRef, recipient: Recipient): Promise<SendContext> => {
      const cipher = await vault.unlock(account);
      const [settings, lock] = await table.getAll([
        itemKeys.account(account.id),
        lockKey(account.id, cipher, recipient),
      ]);
      if (!settings) throw new Error('an API key belongs to an account that is not there');
      return { settings: await accountFrom(settings, vault), holder: holderFrom(lock) };
    },
    accept,
  };
};

export type Sends = ReturnType<typeof sendStorage>;
