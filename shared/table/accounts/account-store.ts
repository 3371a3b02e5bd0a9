import * as z from 'zod';
import { type Account, type AccountSettings, changed, newAccountSettings } from '../../accounts/account.ts';
import { type Credits, credits, eachCounter, mostCredits } from '../../accounts/credits.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { Fault } from '../../kit/fault.ts';
import { grouped } from '../../kit/grouped.ts';
import { isId, timeOfId } from '../../kit/id.ts';
import { iso } from '../../kit/time.ts';
import type { InboundUrls } from '../../messages/callback-urls.ts';
import { firstSpread } from '../../messages/spread.ts';
import { accountRefIn } from '../account-ref-in.ts';
import { oldestAfter } from '../after-cursor.ts';
import { indexKeys, itemKeys, partitions } from '../keys.ts';
import type { SpreadStore } from '../messages/spread-store.ts';
import { bytesOf, mostItemBytes } from '../one-item.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Item, Table, Write } from '../table.ts';
import { creditsIn, readCredits } from './credit-items.ts';
import { creditShardsIn } from './credit-shards.ts';
import { inboundUrlsIn } from './inbound-url-store.ts';
import { claimWrite, ownerFrom, releaseWrite, senderKey, senderNumber } from './sms-sender-items.ts';

const storedSettings = z.record(z.string(), z.unknown());

const place = (id: string) => sealedPlace(itemKeys.account(id), 'settings');

/** The references of so many accounts are remembered. */
const mostRefs = 10_000;

/** How many accounts are read at a time. */
const accountsAtATime = 100;

/** An account and the reference that opens its data. */
export interface StoredAccount extends Account {
  readonly ref: AccountRef;
  /** The number of items that its credits lie in. */
  readonly creditShards: number;
  /** Callers replace them, and do not set them. */
  readonly inboundUrls: InboundUrls;
}

/** An account that is opened by itself: where one cannot be opened, the others of its page can. */
export interface ListedAccount {
  readonly id: string;
  readonly ref: AccountRef;
  open(): Promise<StoredAccount>;
}

/** Reads an account's item; settings name people and addresses, so they are sealed. */
export const accountFrom = async (item: Item, vault: Vault): Promise<StoredAccount> => {
  const ref = accountRefIn(item);
  const cipher = await vault.unlock(ref);
  const settings = storedSettings.parse(JSON.parse(cipher.open(place(ref.id), item['settings'])));
  return {
    // What was written before a setting existed has it as a new account has.
    ...changed(newAccountSettings(''), settings),
    id: ref.id,
    createdAt: iso(timeOfId(ref.id)),
    updatedAt: String(item['updatedAt']),
    creditShards: creditShardsIn(item),
    inboundUrls: inboundUrlsIn(item),
    ref,
  };
};

/**
 * A gateway for sms has fields without a limit of their own.
 * @throws Fault when a change makes the settings too large for an item
 */
const assertFits = (before: AccountSettings, after: AccountSettings): void => {
  if (bytesOf(after) > Math.max(mostItemBytes, bytesOf(before)))
    throw new Fault(
      'invalid_request',
      `sms.provider: all settings together must be at most ${grouped(mostItemBytes)} bytes of JSON`,
    );
};

/** Accounts and their credits. */
export const accountStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  const sealed = async (ref: AccountRef, settings: AccountSettings) =>
    (await vault.unlock(ref)).seal(place(ref.id), JSON.stringify(settings));

  const read = async (id: string): Promise<Item | undefined> => {
    const learn = spreads.learning();
    const item = isId(id) ? await table.get(itemKeys.account(id)) : undefined;
    if (item) learn(item);
    return item;
  };

  const find = async (id: string): Promise<StoredAccount | undefined> => {
    const item = await read(id);
    return item && accountFrom(item, vault);
  };

  const refs = new Map<string, AccountRef>();

  /** What opens an account's data, for work that needs no settings. It never changes, so each is read once. */
  const refOf = async (id: string): Promise<AccountRef | undefined> => {
    const known = refs.get(id);
    if (known) return known;
    const item = await read(id);
    if (!item) return undefined;
    if (refs.size >= mostRefs) refs.clear();
    const ref = accountRefIn(item);
    refs.set(id, ref);
    return ref;
  };

  const page = async (after: string | undefined, limit: number): Promise<ListedAccount[]> => {
    const items = await table.query(partitions.accounts(), { ...oldestAfter(after), newestFirst: false, limit });
    return items.map((item) => {
      const ref = accountRefIn(item);
      return { id: ref.id, ref, open: () => accountFrom(item, vault) };
    });
  };

  const allWithSender = async (digits: string, after?: string): Promise<StoredAccount[]> => {
    const accounts = await page(after, accountsAtATime);
    const opened = await Promise.all(accounts.map(({ open }) => open()));
    const found = opened.filter(({ sms }) => senderNumber(sms.sender) === digits);
    const rest = accounts.length < accountsAtATime ? [] : await allWithSender(digits, accounts.at(-1)?.id);
    return [...found, ...rest];
  };

  const onlyOne = async (id: string): Promise<StoredAccount[]> => {
    const account = await find(id);
    return account ? [account] : [];
  };

  /** Who has a number. An item that may not be the only account's is older than the rule: then every account is asked. */
  const claimsOf = async (digits: string) => {
    const owner = ownerFrom(await table.get(senderKey(digits)));
    if (!owner || owner.isReleased) return { owner, accounts: [] };
    if (!owner.isExclusive) return { owner, accounts: await allWithSender(digits) };
    return { owner, accounts: await onlyOne(owner.account) };
  };

  /** The additional writes of a new sender: the new number is claimed, the old one released. */
  const senderWrites = async (
    { id, sms }: StoredAccount,
    settings: AccountSettings,
    at: string,
  ): Promise<Write[] | 'sender-taken'> => {
    const [from, to] = [senderNumber(sms.sender), senderNumber(settings.sms.sender)];
    if (from === to) return [];
    const claims = to === undefined ? undefined : await claimsOf(to);
    if (claims?.accounts.some((other) => other.id !== id)) return 'sender-taken';
    const given = from === undefined ? undefined : ownerFrom(await table.get(senderKey(from)));
    // An item that is older than the rule stays: another account may have the number too.
    const isFreed = given?.isExclusive === true && given.account === id;
    return [
      ...(claims && to !== undefined ? [claimWrite(to, id, claims.owner)] : []),
      ...(isFreed && from !== undefined ? [releaseWrite(from, id, at)] : []),
    ];
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
              messageSpread: firstSpread,
            },
          },
        },
        { Put: { Item: { ...itemKeys.credits(ref.id), entity: 'credits', email: 0, smsMasked: 0, smsNonMasked: 0 } } },
      ]);
    },

    find,
    refOf,

    /** The next accounts after this id, at most `limit`, for work that goes round all of them. One that was just created may be missing. */
    page,

    /**
     * The accounts that have a number: one, or several that saved it before a number had to be unique. With `orLast`, a number that no account has
     * now is still that of the last one that had it: a recipient may answer long after a text.
     */
    allBySender: async (number: string, { orLast = false } = {}): Promise<StoredAccount[]> => {
      const digits = senderNumber(number);
      if (digits === undefined) return [];
      const { owner, accounts } = await claimsOf(digits);
      return orLast && owner && accounts.length === 0 ? onlyOne(owner.account) : accounts;
    },

    /**
     * Gives undefined when another request changed the account since it was read: read again and repeat. A number that others may answer to is
     * one account's: `sender-taken` when another has it.
     */
    save: async (
      before: StoredAccount,
      settings: AccountSettings,
      nowMs: number,
    ): Promise<StoredAccount | 'sender-taken' | undefined> => {
      assertFits(before, settings);
      const updatedAt = iso(Math.max(nowMs, Date.parse(before.updatedAt) + 1));
      const senders = await senderWrites(before, settings, updatedAt);
      if (senders === 'sender-taken') return senders;
      const refused = await table.transact([
        {
          Update: {
            Key: itemKeys.account(before.id),
            UpdateExpression: 'SET settings = :settings, updatedAt = :now',
            ConditionExpression: 'updatedAt = :before',
            ExpressionAttributeValues: {
              ':settings': await sealed(before.ref, settings),
              ':now': updatedAt,
              ':before': before.updatedAt,
            },
          },
        },
        ...senders,
      ]);
      return refused ? undefined : { ...before, ...settings, updatedAt };
    },

    credits: async (id: string): Promise<Credits | undefined> => {
      const shards = isId(id) ? await readCredits(table, id) : undefined;
      if (!shards) return undefined;
      const sum = creditsIn(shards);
      // What was given back after its shard was read may have been spent from one that was read later; and what is given back after an operator
      // set the maximum is above it.
      return credits.parse(eachCounter((counter) => Math.min(mostCredits, Math.max(0, sum[counter]))));
    },
  };
};

export type AccountStore = ReturnType<typeof accountStore>;
