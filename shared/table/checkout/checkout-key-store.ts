import * as z from 'zod';
import { hashOf } from '../../accounts/api-key.ts';
import {
  type CheckoutKey,
  type CheckoutKeyKind,
  type CheckoutKeyLimits,
  checkoutKey,
  checkoutKeyLimits,
  isCheckoutKey,
  prefixOf,
} from '../../checkout/checkout-key.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { iso } from '../../kit/time.ts';
import { type Admission, callerKeys, type KeyPage, type Refused } from '../accounts/caller-keys.ts';
import { indexKeys, itemKeys, partitions } from '../keys.ts';
import type { Table } from '../table.ts';

interface CheckoutAdmission extends Admission {
  readonly prefix: string;
  readonly kind: CheckoutKeyKind;
  readonly livemode: boolean;
  readonly limits: CheckoutKeyLimits;
  readonly isReadOnly?: boolean | undefined;
}

interface NewCheckoutKey extends Pick<CheckoutKey, 'id' | 'name' | 'kind' | 'livemode' | 'rateLimitPerMinute'> {
  readonly limits: CheckoutKeyLimits;
}

const used = checkoutKey
  .pick({ kind: true, livemode: true })
  .extend({ limits: checkoutKeyLimits, isReadOnly: z.boolean().optional() });

/** Keys of the checkout API. */
export const checkoutKeyStore = (table: Table) => {
  const keys = callerKeys(
    table,
    {
      item: itemKeys.checkoutKey,
      id: itemKeys.checkoutKeyId,
      inIndex: indexKeys.checkoutKeyId,
      listed: partitions.checkoutKeys,
    },
    'checkout-key',
  );

  return {
    /** Counts one request of this key. Undefined: unknown or malformed. */
    admit: async (key: string, nowMs: number): Promise<CheckoutAdmission | Refused | undefined> => {
      const admitted = isCheckoutKey(key) ? await keys.admit(hashOf(key), nowMs) : undefined;
      if (!admitted) return undefined;
      const prefix = prefixOf(key);
      if ('refused' in admitted) return { refused: { ...admitted.refused, prefix } };
      return { ...admitted.admission, prefix, ...used.parse(admitted.item) };
    },

    create: async (
      account: AccountRef,
      key: string,
      { limits, ...fields }: NewCheckoutKey,
      nowMs: number,
    ): Promise<CheckoutKey> => {
      const { kind, livemode } = fields;
      const shown = { ...fields, prefix: prefixOf(key), ...limits, createdAt: iso(nowMs) };
      await keys.keep(account, { hash: hashOf(key), shown, used: { kind, livemode, limits } });
      return { ...shown, revokedAt: null };
    },

    list: async (accountId: string, page: KeyPage = {}): Promise<CheckoutKey[]> =>
      (await keys.list(accountId, page)).map((item) => checkoutKey.parse({ revokedAt: null, ...item })),

    revoke: keys.revoke,
  };
};

export type CheckoutKeyStore = ReturnType<typeof checkoutKeyStore>;
