import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import type { WebhookEvent } from '../../webhooks/publish.ts';
import { itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { expiryOf } from './delivery-items.ts';

const place = (account: string, eventId: string) => `${itemKeys.event(account, eventId).PK}/payload`;

/** The raw body in an event's item. */
export const payloadIn = (cipher: Cipher, { PK, payload }: Item): string =>
  cipher.open(`${PK}/payload`, payload as Uint8Array);

/** The raw bodies of these deliveries, in their order; undefined where the event is no longer kept. A body is stored with its event, not with each delivery. */
export const payloadsOf = async (
  table: Table,
  cipher: Cipher,
  account: string,
  deliveries: readonly Delivery[],
): Promise<(string | undefined)[]> => {
  const ids = [...new Set(deliveries.flatMap(({ payload, eventId = '' }) => (payload === undefined ? [eventId] : [])))];
  const items = await table.getAll(ids.map((id) => itemKeys.event(account, id)));
  const opened = new Map(ids.map((id, n) => [id, items[n] && payloadIn(cipher, items[n])]));
  return deliveries.map(({ payload, eventId = '' }) => payload ?? opened.get(eventId));
};

/** Events as receivers get them. Each is stored once, for all of its deliveries. */
export const eventStore = (table: Table, vault: Vault) => ({
  /** When an event that is still kept happened, from its body: the ids of its deliveries follow from it. */
  timeOf: async (account: AccountRef, id: string): Promise<number | undefined> => {
    const item = await table.get(itemKeys.event(account.id, id));
    if (!item) return undefined;
    const { createdAt } = JSON.parse(payloadIn(await vault.unlock(account), item)) as { readonly createdAt: string };
    return Date.parse(createdAt);
  },

  /** Stores an event, unless it is there already. */
  add: async (account: AccountRef, { id, name, occurredMs, payload }: WebhookEvent): Promise<void> => {
    const cipher = await vault.unlock(account);
    await table.add({
      ...itemKeys.event(account.id, id),
      entity: 'event',
      account: account.id,
      event: name,
      payload: cipher.seal(place(account.id, id), payload),
      expiresAt: expiryOf(occurredMs),
    });
  },
});
