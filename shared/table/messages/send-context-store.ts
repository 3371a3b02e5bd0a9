import type { PreparedSend } from '../../compliance/draft.ts';
import type { Draft } from '../../compliance/gate.ts';
import type { Holder, TextedContact } from '../../compliance/send-context.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { isId } from '../../kit/id.ts';
import { InternalError } from '../../kit/internal-error.ts';
import type { Channel } from '../../messages/message.ts';
import { accountFrom, type StoredAccount } from '../accounts/account-store.ts';
import { consentIn, versionOf } from '../contacts/consent-items.ts';
import { consentVersionsIn, contactState, lockKey } from '../contacts/contact-items.ts';
import { type KeptOptOut, optOutFrom, optOutKey } from '../contacts/opt-out-items.ts';
import { reasonIn, suppressionKeys } from '../contacts/suppression-items.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { isArchived, sendableFrom, sendableKeys } from '../templates/template-store.ts';
import type { SpreadStore } from './spread-store.ts';
import { openUntilIn, windowKey } from './window-store.ts';

interface Wanted {
  readonly channel: Channel;
  readonly contact?: Draft['contact'] | undefined;
  readonly templateId?: string | undefined;
}

/** What decides about a send, as it is read before. Apart from the writes, whose code a function that only reads need not load. */
export const sendContextStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  /** The holder of a phone with what decides about a text. Undefined when it has just been retired, and has let its phone go. */
  const withTexted = async (
    accountId: string,
    holder: Holder,
    channel: Channel,
    { frequencyCap, optOut }: Pick<StoredAccount, 'frequencyCap'> & { readonly optOut: KeptOptOut },
  ): Promise<Holder | undefined> => {
    const [contact, consents, cap] = await table.getAll([
      itemKeys.contact(accountId, holder.contactId),
      itemKeys.consents(accountId, holder.contactId),
      frequencyCap ? itemKeys.frequencyCap(accountId, holder.contactId) : undefined,
    ]);
    if (!contact) return undefined;
    const consent = consentIn(consents, channel);
    const consentVersions = consentVersionsIn(contact, { consents: versionOf(consents), optOut: optOut.version });
    return { ...holder, texted: { ...contactState(contact), consent, consentVersions, cap: capFrom(cap) } };
  };

  return {
    /** For a text a second read follows, of the contact that holds its phone. */
    read: async (account: AccountRef, wanted: Wanted): Promise<PreparedSend> => {
      const { channel, contact } = wanted;
      const cipher = await vault.unlock(account);
      const keys = contextKeys(account.id, cipher, wanted);
      const learn = spreads.learning();
      const [settingsItem, lock, optOutItem, window, own, followed, row, firstPart] = await table.getAll(keys);
      if (!settingsItem) throw new InternalError('an account is missing', { accountId: account.id });
      learn(settingsItem);
      const settings = await accountFrom(settingsItem, vault);
      const holder = holderFrom(lock);
      const optOut = contact && 'phone' in contact ? optOutFrom(optOutItem) : undefined;
      const suppressing = own ?? followed;
      return {
        settings,
        creditShards: settings.creditShards,
        holder: holder && optOut ? await withTexted(account.id, holder, channel, { ...settings, optOut }) : holder,
        optOut,
        windowOpenUntilMs: openUntilIn(window),
        suppressed: suppressing && reasonIn(suppressing),
        template: row && !isArchived(row) ? await sendableFrom(table, account.id, cipher, row, firstPart) : undefined,
      };
    },
  };
};

export type SendContextStore = ReturnType<typeof sendContextStore>;

/** The first reads of a send. An omitted or impossible template id is not read. */
const contextKeys = (accountId: string, cipher: Cipher, { channel, contact, templateId = '' }: Wanted) => {
  const phone = contact && 'phone' in contact ? contact.phone : undefined;
  return [
    itemKeys.account(accountId),
    contact && lockKey(accountId, cipher, contact),
    phone === undefined ? undefined : optOutKey(accountId, cipher, phone),
    phone === undefined || channel !== 'whatsapp' ? undefined : windowKey(accountId, cipher, phone),
    ...(contact ? suppressionKeys(accountId, cipher, { channel, address: contact }) : [undefined, undefined]),
    ...(isId(templateId) ? sendableKeys(accountId, templateId) : []),
  ];
};

const holderFrom = (lock: Item | undefined): Holder | undefined =>
  lock && { contactId: String(lock['contactId']), isRetired: lock['isRetired'] === true };

/** The times of texts to a contact, for the frequency cap. */
const capFrom = (item: Item | undefined): TextedContact['cap'] => ({
  times: (item?.['times'] ?? []) as number[],
  version: Number(item?.['version'] ?? 0),
});
