import type { AccountRef } from '../kit/account-ref.ts';
import type { Item } from './table.ts';

/** Whose an item is. The account's sealed key lies in it too, so that it opens without a look at the account. */
export const accountRefIn = (item: Item): AccountRef => ({
  id: String(item['account']),
  sealedKey: String(item['sealedKey']),
});
