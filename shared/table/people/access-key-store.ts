import { hashOf } from '../../accounts/api-key.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { inParts } from '../../kit/in-parts.ts';
import { iso } from '../../kit/time.ts';
import type { Lent } from '../../people/person.ts';
import { borrowerOf, type Caller, platform } from '../../people/person.ts';
import { accessKeySeconds } from '../../people/secret.ts';
import { keyItem } from '../accounts/caller-keys.ts';
import { type ItemKey, itemKeys, partitions } from '../keys.ts';
import type { Item, Table, Write } from '../table.ts';

interface Loan {
  readonly api: 'messaging' | 'checkout';
  readonly key: string;
  /** What every use of the key needs. */
  readonly used: Readonly<Record<string, unknown>>;
  readonly lent: Lent;
}

const rateLimitPerMinute = 600;
const endedAtOnce = 25;
const placeOf = (api: unknown, hash: string): ItemKey =>
  api === 'checkout' ? itemKeys.checkoutKey(hash) : itemKeys.apiKey(hash);

/**
 * What must still hold for a key to be lent: the token, or the session and the role. It is counted on the membership, so that who ends its keys, and
 * then the membership, notices one that was lent in between.
 */
const standing = ({ kind, hash, person, roles, isOperator }: Caller, accountId: string): Write[] => {
  const exists = 'attribute_exists(PK)';
  if (kind === 'token') return [{ ConditionCheck: { Key: itemKeys.operatorToken(hash), ConditionExpression: exists } }];
  const isStaying = `${exists} AND attribute_not_exists(isEnding)`;
  return [
    { ConditionCheck: { Key: itemKeys.signInSession(hash), ConditionExpression: isStaying } },
    {
      Update: {
        Key: itemKeys.membership(person, isOperator ? platform : accountId),
        UpdateExpression: 'ADD keysLent :one',
        ConditionExpression: '#role = :role',
        ExpressionAttributeNames: { '#role': 'role' },
        ExpressionAttributeValues: { ':role': isOperator ? 'operator' : roles[accountId], ':one': 1 },
      },
    },
  ];
};

/** Keys of the public APIs that people are lent for minutes. They end with their session, token or membership, and no list shows them. */
export const accessKeyStore = (table: Table) => ({
  /** The end of the new key; undefined when the caller has lost the session or the role meanwhile. */
  lend: async (
    account: AccountRef,
    caller: Caller,
    { api, key, used, lent }: Loan,
    nowMs: number,
  ): Promise<string | undefined> => {
    const hash = hashOf(key);
    const sessionEndsMs = caller.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(caller.expiresAt);
    const expiresAt = Math.floor(Math.min(nowMs + accessKeySeconds * 1_000, sessionEndsMs) / 1_000);
    const pointer = { entity: 'access-key', api, account: account.id, session: caller.id, expiresAt };
    const item = keyItem(placeOf(api, hash), account, rateLimitPerMinute, {
      entity: 'lent-key',
      ...used,
      lent,
      expiresAt,
    });
    const checks = standing(caller, account.id);
    const refused = await table.transact([
      { Put: { Item: item } },
      { Put: { Item: { ...itemKeys.accessKey(borrowerOf(caller), hash), ...pointer } } },
      ...checks,
    ]);
    return refused ? undefined : iso(expiresAt * 1_000);
  },

  /**
   * Ends the keys of a person or token: those of one session or of one account, or all. The next request with one is refused. A run that is cut off
   * leaves the next one fewer.
   */
  end: async (
    borrower: string,
    those: { readonly session?: string; readonly account?: string },
    nowMs: number,
  ): Promise<void> => {
    const pointers = await table.query(partitions.accessKeys(borrower), { from: '0', to: '~', newestFirst: false });
    const isMeant = (item: Item): boolean =>
      Number(item['expiresAt']) * 1_000 > nowMs &&
      Object.entries(those).every(([name, value]) => value === undefined || item[name] === value);
    await inParts(pointers.filter(isMeant), endedAtOnce, async ({ api, SK }) => {
      const hash = String(SK);
      await table.update({
        Key: placeOf(api, hash),
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':now': iso(nowMs) },
      });
      await table.remove(itemKeys.accessKey(borrower, hash));
    });
  },
});

export type AccessKeyStore = ReturnType<typeof accessKeyStore>;
