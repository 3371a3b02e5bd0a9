import type { AccountRef } from '../../kit/account-ref.ts';
import type { Cipher, Vault } from '../../kit/cipher.ts';
import { rowsThatFit } from '../../kit/cursor-page.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import type { LoggedEvent, Numbered } from '../../webhooks/event-log.ts';
import type { Sequences, WebhookEvent } from '../../webhooks/publish.ts';
import { isInSpan, isInTime, recordedUntilMs, type Span } from '../../webhooks/replay-span.ts';
import { expiryOf, keptSinceMs } from '../../webhooks/retention.ts';
import type { WebhookApi } from '../../webhooks/webhook.ts';
import { type ItemKey, itemKeys } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import { endIn, pageIn } from './event-log-items.ts';
import { eventLogStore, type PlacedEvent, type PlaceInLog, type ReadEvents } from './event-log-store.ts';

/** The raw body in an event's item. */
export const payloadIn = (cipher: Cipher, { PK, payload }: Item): string => cipher.open(`${PK}/payload`, payload);

/** The raw body for an event's item. */
export const sealedPayload = (cipher: Cipher, { PK }: Pick<ItemKey, 'PK'>, payload: string): Uint8Array =>
  cipher.seal(`${PK}/payload`, payload);

/** The raw bodies of these deliveries, in their order; undefined where the event is no longer kept. A body is stored with its event, not with each delivery. */
export const payloadsOf = async (
  table: Table,
  cipher: Cipher,
  account: string,
  deliveries: readonly Delivery[],
): Promise<(string | undefined)[]> => {
  const items = await table.getAll(
    deliveries.map(({ payload, eventId = '' }) =>
      payload === undefined ? itemKeys.event(account, eventId) : undefined,
    ),
  );
  return deliveries.map(({ payload }, n) => payload ?? (items[n] && payloadIn(cipher, items[n])));
};

/** How many parts of the log one list reads at most, and how many pages of it each has. */
const [mostReads, usualPagesToList] = [10, 20];
/** With few events a page, a page of the log has less than half a kilobyte. */
const pagesToCount = 1_000;

interface EventFilter {
  readonly sinceMs: number;
  readonly names: readonly string[];
  readonly after: string | undefined;
  readonly limit: number;
}

interface EventList {
  /** The raw bodies. */
  readonly payloads: readonly string[];
  readonly next: string | undefined;
}

/** Its number for each subscription that wanted it. */
export const sequencesIn = (item: Item): Sequences => (item['sequences'] as Sequences | undefined) ?? {};

/** Events of one API as receivers get them. Each is stored once, for all of its deliveries. */
export const eventStore = (table: Table, vault: Vault, api: WebhookApi, pagesToList = usualPagesToList) => {
  const log = eventLogStore(table, api);

  /** Each has its numbers from the log already, so it does not matter which of several runs stores it. */
  const keep = async (
    account: AccountRef,
    events: readonly { readonly event: WebhookEvent; readonly its: Numbered }[],
    end: Item,
  ): Promise<void> => {
    const cipher = await vault.unlock(account);
    const { late } = endIn(end);
    const pageBefore = async ({ id, occurredMs }: WebhookEvent): Promise<string> =>
      id in late ? (await log.placeAt(account.id, occurredMs)).page : pageIn(end);
    const pages = await Promise.all(events.map(({ event }) => pageBefore(event)));
    const items = events.map(({ event: { id, name, occurredMs, payload }, its: { position, sequences } }, n) => ({
      ...itemKeys.event(account.id, id),
      entity: 'event',
      account: account.id,
      event: name,
      occurredMs,
      position,
      // The event is on a later one, or on none yet; a late one may be on this.
      page: pages[n],
      sequences,
      payload: sealedPayload(cipher, itemKeys.event(account.id, id), payload),
      expiresAt: expiryOf(occurredMs),
    }));
    await table.putAll(items);
  };

  /** Their numbers of those of these events that are stored. */
  const storedAmong = async (account: string, ids: readonly string[]): Promise<ReadonlyMap<string, Sequences>> => {
    const items = await table.getAll(ids.map((id) => itemKeys.event(account, id)));
    return new Map(items.flatMap((item, n) => (item ? [[ids[n] ?? '', sequencesIn(item)]] : [])));
  };

  const placeOf = async (account: string, id: string): Promise<PlaceInLog | undefined> => {
    const item = await table.get(itemKeys.event(account, id));
    return item?.['position'] === undefined
      ? undefined
      : { page: String(item['page']), position: Number(item['position']) };
  };

  return {
    /** When an event that is still kept happened: the ids of its deliveries follow from it. */
    timeOf: async (account: AccountRef, id: string): Promise<number | undefined> => {
      const item = await table.get(itemKeys.event(account.id, id));
      if (!item) return undefined;
      if (item['occurredMs'] !== undefined) return Number(item['occurredMs']);
      // The release before has the time in the body only.
      const { createdAt } = JSON.parse(payloadIn(await vault.unlock(account), item)) as { readonly createdAt: string };
      return Date.parse(createdAt);
    },

    /** Stores events in their order, each once, and gives the numbers that each got when it was first stored. */
    storeNumbered: async (
      account: AccountRef,
      events: readonly (WebhookEvent & Pick<LoggedEvent, 'wantedBy'>)[],
    ): Promise<ReadonlyMap<string, Sequences>> => {
      const numbersOf = async (): Promise<ReadonlyMap<string, Sequences>> => {
        const turn = await log.turn(account.id);
        const known = await storedAmong(
          account.id,
          events.map(({ id }) => id),
        );
        const fresh = events.filter(({ id }) => !known.has(id));
        const appended = fresh.length > 0 ? await log.append(account.id, fresh, turn) : undefined;
        if (!appended) return fresh.length > 0 ? numbersOf() : known;
        const { numbers, end } = appended;
        const numbered = fresh.flatMap((event) => {
          const its = numbers.get(event.id);
          return its ? [{ event, its }] : [];
        });
        await keep(account, numbered, end);
        await log.tidy(
          account.id,
          end,
          fresh.map(({ id }) => id),
        );
        // Another run has stored the others, and moved them from the end to a page, since this one looked.
        if (numbered.length < fresh.length) return numbersOf();
        return new Map([...known, ...numbered.map(({ event, its }) => [event.id, its.sequences] as const)]);
      };
      return numbersOf();
    },

    /**
     * Events in the order in which they were written, after one of them or since an instant; `next`: the event to go on after, if there may be
     * more. Undefined when the event to go on after is not kept.
     */
    list: async (
      account: AccountRef,
      { sinceMs, names, after, limit }: EventFilter,
      nowMs: number,
    ): Promise<EventList | undefined> => {
      const fromMs = Math.max(sinceMs, keptSinceMs(nowMs));
      const start = after === undefined ? await log.placeAt(account.id, fromMs) : await placeOf(account.id, after);
      if (!start) return undefined;
      const found: PlacedEvent[] = [];
      let next: PlaceInLog | undefined = start;
      let goOnAfter = after;
      for (let reads = 0; next && reads < mostReads && found.length <= limit; reads += 1) {
        const part: ReadEvents = await log.read(account.id, next, pagesToList);
        const asked = part.events.filter(({ name, occurredMs }) => occurredMs >= fromMs && names.includes(name));
        found.push(...asked);
        // One that is listed is stored. The position of one that is not is unknown, so no list can go on after it.
        const listed = asked.at(-1);
        const sure = part.events.findLast((event) => event === listed || !part.unsure.has(event.id));
        goOnAfter = sure?.id ?? goOnAfter;
        next = part.next;
      }
      const page = found.slice(0, limit);
      const items = await table.getAll(page.map(({ id }) => itemKeys.event(account.id, id)));
      const gap = items.indexOf(undefined);
      const stored = items.slice(0, gap < 0 ? items.length : gap).filter((item) => item !== undefined);
      const cipher = await vault.unlock(account);
      const payloads = stored.map((item) => payloadIn(cipher, item));
      const size = rowsThatFit(payloads, Buffer.byteLength);
      const isCut = found.length > limit || gap >= 0 || size < payloads.length;
      return { payloads: payloads.slice(0, size), next: isCut ? page[size - 1]?.id : next && goOnAfter };
    },

    /** Some events after a place, without their payloads. */
    read: log.read,

    /**
     * How many events are in a span, up to some more than `most`; more than `most`, too, where its time has more than `mostLooked` of any name. So many
     * later ones are looked through for those that were recorded late, and no more.
     */
    count: async (
      accountId: string,
      span: Span,
      nowMs: number,
      { most, mostLooked }: { readonly most: number; readonly mostLooked: number },
    ): Promise<number> => {
      const kept = { ...span, sinceMs: Math.max(span.sinceMs, keptSinceMs(nowMs)) };
      let [count, inTime, later] = [0, 0, 0];
      let next: PlaceInLog | undefined = await log.placeAt(accountId, kept.sinceMs);
      while (next && count <= most && later <= mostLooked) {
        const part: ReadEvents = await log.read(accountId, next, pagesToCount, recordedUntilMs(span));
        inTime += part.events.filter((event) => isInTime(kept, event)).length;
        if (inTime > mostLooked) return most + 1;
        later += part.events.filter(({ occurredMs }) => occurredMs > kept.untilMs).length;
        count += part.events.filter((event) => isInSpan(kept, event)).length;
        next = part.next;
      }
      return count;
    },

    /** The numbers of events for one subscription, as far as they are stored; 0 where it has none. */
    sequencesFor: async (
      accountId: string,
      webhook: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, number>> => {
      const stored = await storedAmong(accountId, ids);
      return new Map([...stored].map(([id, sequences]) => [id, sequences[webhook] ?? 0]));
    },

    placeAt: log.placeAt,

    forget: log.forget,
  };
};

export type EventStore = ReturnType<typeof eventStore>;
