import { createHash } from 'node:crypto';
import {
  type Account,
  type AccountSettings,
  accountChanges,
  changed,
  newAccountSettings,
} from '../accounts/account.ts';
import { type Credits, credits } from '../accounts/credits.ts';
import type { AccountRef } from '../kit/account-ref.ts';
import type { Vault } from '../kit/cipher.ts';
import { firstIdAt, isId, lastIdAt, timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { indexKeys, itemKeys, partitions } from './keys.ts';
import type { Item, Table } from './table.ts';

const place = (id: string) => `${itemKeys.account(id).PK}/ACCOUNT/settings`;

/** The digits of a sender that can be answered: a phone number or a short code, and no name. */
const senderNumber = (sender: string): string | undefined => /^\+?(\d{3,15})$/.exec(sender)?.[1];

const senderKey = (digits: string) => itemKeys.smsSender(createHash('sha256').update(digits).digest('base64url'));

/** An account and the reference that opens its data. */
export interface StoredAccount extends Account {
  readonly ref: AccountRef;
}

/** Reads an account's item; settings name people and addresses, so they are sealed. */
export const accountFrom = async (item: Item, vault: Vault): Promise<StoredAccount> => {
  const ref: AccountRef = { id: String(item['account']), sealedKey: String(item['sealedKey']) };
  const cipher = await vault.unlock(ref);
  const settings: unknown = JSON.parse(cipher.open(place(ref.id), item['settings'] as Uint8Array));
  return {
    // What was written before a setting existed has it as a new account has.
    ...changed(newAccountSettings(''), accountChanges.parse(settings)),
    id: ref.id,
    createdAt: iso(timeOfId(ref.id)),
    updatedAt: String(item['updatedAt']),
    ref,
  };
};

/** Accounts and what they may still send. */
export const accountStorage = (table: Table, vault: Vault) => {
  const sealed = async (ref: AccountRef, settings: AccountSettings) =>
    (await vault.unlock(ref)).seal(place(ref.id), JSON.stringify(settings));

  const find = async (id: string): Promise<StoredAccount | undefined> => {
    const item = isId(id) ? await table.get(itemKeys.account(id)) : undefined;
    return item && accountFrom(item, vault);
  };

  return {
    create: async (ref: AccountRef, settings: AccountSettings, nowMs: number): Promise<void> => {
      await table.transact([
        {
          Put: {
            Item: {
              ...itemKeys.account(ref.id),
              ...indexKeys.account(ref.id),
              entity: 'account',
              account: ref.id,
              sealedKey: ref.sealedKey,
              settings: await sealed(ref, settings),
              updatedAt: iso(nowMs),
            },
          },
        },
        { Put: { Item: { ...itemKeys.credits(ref.id), entity: 'credits', email: 0, smsMasked: 0, smsNonMasked: 0 } } },
      ]);
    },

    find,

    /** The next accounts after this id, at most `limit`, for work that goes round all of them. One that was just created may be missing. */
    page: async (after: string | undefined, limit: number): Promise<StoredAccount[]> => {
      const from = after === undefined ? firstIdAt(0) : `${after}~`;
      const to = lastIdAt(Number.MAX_SAFE_INTEGER);
      const items = await table.query(partitions.accounts(), { from, to, newestFirst: false, limit });
      return Promise.all(items.map((item) => accountFrom(item, vault)));
    },

    /** The account whose sms come from this number, for what is answered to it. */
    findBySender: async (number: string): Promise<StoredAccount | undefined> => {
      const sender = senderNumber(number);
      const item = sender && (await table.get(senderKey(sender)));
      const found = item ? await find(String(item['account'])) : undefined;
      return found && senderNumber(found.sms.sender) === sender ? found : undefined;
    },

    /** Gives undefined when somebody else changed the account since it was read: read again and repeat. */
    save: async (
      before: StoredAccount,
      settings: AccountSettings,
      nowMs: number,
    ): Promise<StoredAccount | undefined> => {
      const sender = senderNumber(settings.sms.sender);
      // First, so that no crash can leave a sender out; whether it is the account's indeed, its settings say.
      if (sender && sender !== senderNumber(before.sms.sender)) {
        await table.put({ Item: { ...senderKey(sender), entity: 'sms-sender', account: before.id } });
      }
      const saved = await table.update({
        Key: itemKeys.account(before.id),
        UpdateExpression: 'SET settings = :settings, updatedAt = :now',
        ConditionExpression: 'updatedAt = :before',
        ExpressionAttributeValues: {
          ':settings': await sealed(before.ref, settings),
          ':now': iso(Math.max(nowMs, Date.parse(before.updatedAt) + 1)),
          ':before': before.updatedAt,
        },
      });
      return saved.done ? accountFrom(saved.item, vault) : undefined;
    },

    credits: async (id: string): Promise<Credits | undefined> => {
      const item = isId(id) ? await table.get(itemKeys.credits(id)) : undefined;
      return item && credits.parse(item);
    },
  };
};

export type Accounts = ReturnType<typeof accountStorage>;
