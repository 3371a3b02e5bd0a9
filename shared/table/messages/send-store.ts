import { recipientDetails } from '../../contacts/contact.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { isId, nthId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import type { Channel } from '../../messages/message.ts';
import type { AcceptedMessage } from '../../messages/new-message.ts';
import type { Recipient } from '../../messages/recipient.ts';
import { accountFrom, type StoredAccount } from '../accounts/account-store.ts';
import { emailLockKey, phoneLockKey } from '../contacts/contact-items.ts';
import { createWrites } from '../contacts/contact-writes.ts';
import { type KeptOptOut, optOutFrom, optOutKey } from '../contacts/opt-out-items.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { type SendableTemplate, sendableFrom, sendableKeys } from '../templates/template-store.ts';
import { acceptWrites } from './message-items.ts';
import { textAcceptance } from './text-acceptance.ts';
import { openUntilIn, windowKey } from './window-store.ts';

/** The contact that holds a recipient's address. A retired one still holds its email. */
export interface Holder {
  readonly contactId: string;
  readonly isRetired: boolean;
}

export interface SendContext {
  readonly settings: StoredAccount;
  readonly holder: Holder | undefined;
  readonly template: SendableTemplate | undefined;
  /** What was last said for the recipient's phone. */
  readonly optOut: KeptOptOut | undefined;
  /** When the recipient's whatsapp window ends. Read for whatsapp only. */
  readonly windowOpenUntilMs: number | undefined;
}

interface Wanted {
  readonly channel?: Channel;
  readonly templateId?: string | undefined;
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
export const sendStore = (table: Table, vault: Vault) => {
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
    if (!lock) throw new InternalError('another item has the id of a new contact');
    return accept(account, message, contact, holderFrom(lock));
  };

  /** What is left out, or cannot be the id of a template, is not looked for. */
  const prepare = async (
    account: AccountRef,
    contact: Contact | undefined,
    { channel, templateId = '' }: Wanted = {},
  ): Promise<SendContext> => {
    const cipher = await vault.unlock(account);
    const phone = contact && 'phone' in contact ? contact.phone : undefined;
    const optOut = phone === undefined ? undefined : optOutKey(account.id, cipher, phone);
    const [settings, lock, said, window, row, firstPart] = await findEach([
      itemKeys.account(account.id),
      contact && lockKey(account.id, cipher, contact),
      optOut,
      channel === 'whatsapp' && phone !== undefined ? windowKey(account.id, cipher, phone) : undefined,
      ...(isId(templateId) ? sendableKeys(account.id, templateId) : []),
    ]);
    if (!settings) throw new InternalError('an account is missing', { accountId: account.id });
    return {
      settings: await accountFrom(settings, vault),
      holder: holderFrom(lock),
      template: row && (await sendableFrom(table, account.id, cipher, row, firstPart)),
      optOut: optOut && optOutFrom(optOut, said),
      windowOpenUntilMs: openUntilIn(window),
    };
  };

  return {
    prepare,
    accept,

    /** Accepts a text by what `prepare` has found, unless something speaks against it, which is told. A refusal leaves nothing behind. */
    acceptText: textAcceptance(table, vault, (account, { message, phone }) =>
      prepare(account, { phone }, { channel: message.channel }),
    ),
  };
};

export type SendStore = ReturnType<typeof sendStore>;
