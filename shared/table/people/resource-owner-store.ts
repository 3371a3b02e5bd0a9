import { isId } from '../../kit/id.ts';
import type { OwnedResource } from '../../people/person.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';

const keyOf = {
  contact: itemKeys.contactAccount,
  payment: itemKeys.paymentId,
  session: itemKeys.checkoutSession,
  apiKey: itemKeys.apiKeyId,
  checkoutKey: itemKeys.checkoutKeyId,
} as const satisfies Record<OwnedResource, unknown>;

/** Pointers name their account in the index only: `A#{account}#…`. */
const accountIn = (item: Item): string | undefined =>
  item['account'] === undefined ? /^A#(.{36})#/.exec(String(item['GSI1PK']))?.[1] : String(item['account']);

/** The account that owns a resource, by one point read. */
export const resourceOwnerStore = (table: Table) => ({
  accountOf: async (kind: OwnedResource, id: string): Promise<string | undefined> => {
    const item = isId(id) ? await table.get(keyOf[kind](id)) : undefined;
    return item && accountIn(item);
  },
});
