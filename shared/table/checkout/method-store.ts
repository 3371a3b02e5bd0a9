import type { AcceptanceMethod, KnownMethods, MethodWish } from '../../checkout/methods.ts';
import { renewed, replaceMethods } from '../../checkout/replace-methods.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { Fault } from '../../kit/fault.ts';
import { grouped } from '../../kit/grouped.ts';
import { nthId } from '../../kit/id.ts';
import { itemKeys } from '../keys.ts';
import { bytesOf, mostItemBytes } from '../one-item.ts';
import { sealedPlace } from '../sealed-place.ts';
import type { Table } from '../table.ts';

/** The page of every payer reads them. */
const mostRetired = 300;

/** As many of the retired methods, the newest first, as lie in one item with the current ones. */
const inOneItem = ({ current, retired }: KnownMethods): KnownMethods => {
  let bytes = bytesOf(current);
  if (bytes > mostItemBytes)
    throw new Fault(
      'invalid_request',
      `credentials: all methods together must be at most ${grouped(mostItemBytes)} bytes of JSON`,
    );
  const newest = retired.slice(0, mostRetired);
  const tooMany = newest.findIndex((method) => {
    bytes += bytesOf(method);
    return bytes > mostItemBytes;
  });
  return { current, retired: tooMany < 0 ? newest : newest.slice(0, tooMany) };
};

const place = (account: AccountRef) => sealedPlace(itemKeys.methods(account.id), 'methods');

/** Ways to pay, with the credentials of their gateways: one sealed item for each account. */
export const methodStore = (table: Table, vault: Vault) => {
  const read = async (account: AccountRef): Promise<{ readonly kept: KnownMethods; readonly version: number }> => {
    const item = await table.get(itemKeys.methods(account.id));
    if (!item) return { kept: { current: [], retired: [] }, version: 0 };
    const cipher = await vault.unlock(account);
    const kept: KnownMethods = JSON.parse(cipher.open(place(account), item['methods']));
    return { kept, version: Number(item['version']) };
  };

  /** Two who replace at once come one after the other. */
  const replace = async (
    account: AccountRef,
    wishes: readonly MethodWish[],
    newId: string,
  ): Promise<readonly AcceptanceMethod[]> => {
    const { kept, version } = await read(account);
    const current = replaceMethods(kept.current, wishes, (position) => nthId(newId, position));
    const left = kept.current.filter(({ id }) => !current.some((method) => method.id === id));
    const after = inOneItem({ current, retired: [...left, ...kept.retired] });
    const cipher = await vault.unlock(account);
    const saved = await table.update({
      Key: itemKeys.methods(account.id),
      UpdateExpression: 'SET #methods = :methods, #version = :next, #entity = :entity',
      ConditionExpression: '#version = :version OR (attribute_not_exists(PK) AND :version = :none)',
      ExpressionAttributeNames: { '#methods': 'methods', '#version': 'version', '#entity': 'entity' },
      ExpressionAttributeValues: {
        ':methods': cipher.seal(place(account), JSON.stringify(after)),
        ':version': version,
        ':next': version + 1,
        ':none': 0,
        ':entity': 'methods',
      },
    });
    return saved.done ? current : replace(account, wishes, newId);
  };

  return {
    /** What the account offers, in the order of display. */
    list: async (account: AccountRef): Promise<readonly AcceptanceMethod[]> => (await read(account)).kept.current,

    /** What the account offers, in the order of display, and what it offered before. */
    listKnown: async (account: AccountRef): Promise<KnownMethods> => (await read(account)).kept,

    /** One method, also when it is no longer offered: then with the latest credentials of its shop. */
    find: async (account: AccountRef, id: string): Promise<AcceptanceMethod | undefined> => {
      const { current, retired } = (await read(account)).kept;
      const ended = retired.find((method) => method.id === id);
      return ended ? renewed(ended, [...current, ...retired]) : current.find((method) => method.id === id);
    },

    /** @throws Fault `invalid_request`, see `replaceMethods`, and for more methods than one item holds */
    replace,
  };
};

export type MethodStore = ReturnType<typeof methodStore>;
