import type { Cipher, Vault } from '../../kit/cipher.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import { type FanOutJob, listenersPerJob } from '../../webhooks/jobs.ts';
import { itemKeys } from '../keys.ts';
import type { Table } from '../table.ts';
import { expiryOf } from './delivery-items.ts';
import { eventTeller, type Happening } from './event-teller.ts';
import type { Listener } from './webhook-store.ts';

const place = (account: string, eventId: string) => `${itemKeys.event(account, eventId).PK}/payload`;

/** What these deliveries carry, in their order; undefined where the event is no longer kept. */
export const payloadsOf = async (
  table: Table,
  cipher: Cipher,
  account: string,
  deliveries: readonly Delivery[],
): Promise<(string | undefined)[]> => {
  const ids = [...new Set(deliveries.flatMap(({ payload, eventId = '' }) => (payload === undefined ? [eventId] : [])))];
  const items = await table.getAll(ids.map((id) => itemKeys.event(account, id)));
  const opened = new Map(
    ids.map((id, n) => [id, items[n] && cipher.open(place(account, id), items[n]['payload'] as Uint8Array)]),
  );
  return deliveries.map(({ payload, eventId = '' }) => payload ?? opened.get(eventId));
};

/** Events as receivers get them. Each is kept once, for all of its deliveries. */
export const eventStore = (table: Table, vault: Vault) => {
  const tell = eventTeller(table);

  const keepOne = async (happening: Happening, listeners: readonly Listener[]): Promise<FanOutJob[]> => {
    const [first] = listeners;
    if (!first) return [];
    const { account } = first;
    const { name: event, atMs } = happening;
    const cipher = await vault.unlock(account);
    const { eventId, payload } = await tell(account.id, cipher, happening);
    await table.add({
      ...itemKeys.event(account.id, eventId),
      entity: 'event',
      account: account.id,
      event,
      payload: cipher.seal(place(account.id, eventId), payload),
      expiresAt: expiryOf(atMs),
    });
    const targets = listeners.map(({ id, pauses }) => ({ id, pauses }));
    return Array.from({ length: Math.ceil(targets.length / listenersPerJob) }, (_, part) => ({
      account: account.id,
      eventId,
      event,
      atMs,
      listeners: targets.slice(part * listenersPerJob, (part + 1) * listenersPerJob),
    }));
  };

  return {
    /** Keeps the events that any of an account's listeners wants, and gives the jobs that begin their deliveries. Told again, it gives the same. */
    keep: async (happenings: readonly Happening[], listeners: readonly Listener[]): Promise<FanOutJob[]> => {
      const wanting = (name: string) => listeners.filter(({ events }) => events.includes(name));
      return (await Promise.all(happenings.map((each) => keepOne(each, wanting(each.name))))).flat();
    },
  };
};

export type EventStore = ReturnType<typeof eventStore>;
