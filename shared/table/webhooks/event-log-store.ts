import { lastIdAt } from '../../kit/id.ts';
import {
  endsPage,
  firstOfTail,
  type LoggedEvent,
  longestPage,
  type Numbered,
  numbersIn,
  pageOf,
} from '../../webhooks/event-log.ts';
import { expiryOf } from '../../webhooks/retention.ts';
import type { WebhookApi } from '../../webhooks/webhook.ts';
import { everyId, idsUntil } from '../every-id.ts';
import { itemKeys, partitions } from '../keys.ts';
import type { Item, Table } from '../table.ts';
import {
  countsOf,
  endIn,
  entryOf,
  latestIn,
  latestOf,
  loggedIn,
  markOf,
  pageIdOf,
  separator,
  shortOf,
  totalPrefix,
  turnIn,
  turnSeparator,
  turnsIn,
} from './event-log-items.ts';

/** An event's page or an earlier one, and the event's position. */
export interface PlaceInLog {
  readonly page: string;
  readonly position: number;
}

export type PlacedEvent = LoggedEvent & Pick<Numbered, 'position'>;

export interface ReadEvents {
  readonly events: readonly PlacedEvent[];
  /** Those of them that may not be stored yet. */
  readonly unsure: ReadonlySet<string>;
  /** Where to go on; undefined at the end of the log. */
  readonly next: PlaceInLog | undefined;
}

/** What an append gave: the numbers of all events at the end of the log, and that end. */
export interface Appended {
  readonly numbers: ReadonlyMap<string, Numbered>;
  readonly end: Item;
}

/**
 * How many turns of pages an event's id is remembered after its own. A run that looked whether its events are stored must append them before
 * that many turns have passed, or look again.
 */
const turnsRemembered = 1;

/**
 * The order of an account's events, and their numbers for each subscription. One update puts events at the end of the log and counts them, so
 * numbers have no gap. Until an event is stored with its numbers, its id at the end of the log says that it has them. Stored events move from
 * there to pages, several at once. Each API of an account has its own log.
 */
export const eventLogStore = (table: Table, api: WebhookApi) => {
  const isStored = async (account: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const items = await table.getAll(ids.map((id) => itemKeys.event(account, id)));
    return new Set(ids.filter((_, n) => items[n] !== undefined));
  };

  /**
   * Puts these events at the end, in their order, but those that are there already. `turn`: of the log's end before they were found not to be
   * stored. Undefined when that was too long ago.
   */
  const append = async (
    account: string,
    events: readonly LoggedEvent[],
    turn: number,
  ): Promise<Appended | undefined> => {
    const counts = countsOf(events);
    const { done, item = {} } = await table.update({
      Key: itemKeys.eventLog(account, api),
      UpdateExpression: `SET ${[
        '#tail = list_append(if_not_exists(#tail, :none), :events)',
        '#last = if_not_exists(#last, :zero) + :count',
      ].join(
        ', ',
      )} REMOVE #entity, #account ADD ${['#marks :marks', ...counts.map((_, n) => `#t${n} :t${n}`)].join(', ')}`,
      ConditionExpression: [
        '(attribute_not_exists(#turn) OR #turn <= :turn)',
        ...events.map((_, n) => `NOT contains(#marks, :mark${n}) AND NOT contains(#turned, :mark${n})`),
      ].join(' AND '),
      ExpressionAttributeNames: {
        // The release before kept here what the key says. With that, ten events at the end of a usual log are larger than 1 KB.
        '#entity': 'entity',
        '#account': 'account',
        '#tail': 'tail',
        '#last': 'last',
        '#turn': 'turn',
        '#marks': 'marks',
        '#turned': 'turned',
        ...Object.fromEntries(counts.map(([webhook], n) => [`#t${n}`, totalPrefix + webhook])),
      },
      ExpressionAttributeValues: {
        ':none': [],
        ':zero': 0,
        ':count': events.length,
        ':turn': turn + turnsRemembered,
        ':events': events.map(entryOf),
        ':marks': new Set(events.map(({ id }) => markOf(id))),
        ...Object.fromEntries(events.map(({ id }, n) => [`:mark${n}`, markOf(id)])),
        ...Object.fromEntries(counts.map(([, count], n) => [`:t${n}`, count])),
      },
    });
    const numbers = numbersIn(endIn(item));
    const others = events.filter(({ id }) => !numbers.has(id));
    if (done || others.length === 0) return { numbers, end: item };
    const isTooLate = turnIn(item) > turn + turnsRemembered || others.length === events.length;
    return isTooLate ? undefined : append(account, others, turn);
  };

  /** Moves these first events of the tail to a page. Two that do it at once write one page, and one of them shortens the tail. */
  const turnPage = async (
    account: string,
    end: Item,
    events: readonly LoggedEvent[],
    stored: ReadonlySet<string>,
  ): Promise<void> => {
    const [first] = events;
    if (!first) return;
    const before = endIn(end);
    const id = pageIdOf(first, end);
    const known = await table.add({
      ...itemKeys.eventPage(account, api, id),
      entity: 'eventPage',
      account,
      first: firstOfTail(before),
      events: events.map((event) => entryOf({ ...event, wantedBy: [] })),
      expiresAt: expiryOf(latestOf(events)),
    });
    const moved = known ? loggedIn(known['events']) : events;
    const ids = moved.map((event) => event.id);
    const numbers = numbersIn(before);
    // Another run has seen a longer tail: one that has seen it too goes on.
    if (!ids.every((one) => numbers.has(one))) return;
    const missing = [...Object.keys(before.late), ...ids].filter((one) => !stored.has(one));
    const arrived = Object.keys(before.late).filter((one) => stored.has(one));
    const settled = [...ids.filter((one) => stored.has(one)), ...arrived].map(markOf);
    // One text, in which a mark is found as a part of it.
    const turned = [...turnsIn(end), settled.join(separator)].slice(-turnsRemembered).join(turnSeparator);
    const late = Object.fromEntries(missing.map((one) => [one, numbers.get(one)]));
    await table.update({
      Key: itemKeys.eventLog(account, api),
      UpdateExpression: `SET #page = :page, #latest = :latest, #turn = :turn, #turned = :turned, #late = :late REMOVE ${ids
        .map((_, n) => `#tail[${n}]`)
        .reverse()
        .join(', ')}${settled.length > 0 ? ' DELETE #marks :settled' : ''}`,
      ConditionExpression: '#tail[0].#id = :first',
      ExpressionAttributeNames: {
        '#page': 'page',
        '#latest': 'latestMs',
        '#turn': 'turn',
        '#turned': 'turned',
        '#late': 'late',
        '#tail': 'tail',
        '#id': 'id',
        ...(settled.length > 0 && { '#marks': 'marks' }),
      },
      ExpressionAttributeValues: {
        ':page': id,
        ':latest': Math.max(latestIn(end), latestOf(moved)),
        ':turn': turnIn(end) + 1,
        ':turned': turned,
        ':late': late,
        ':first': shortOf(first.id),
        ...(settled.length > 0 && { ':settled': new Set(settled) }),
      },
    });
  };

  return {
    append,

    /** How often a page was turned, to look after that whether events are stored. */
    turn: async (account: string): Promise<number> => turnIn((await table.get(itemKeys.eventLog(account, api))) ?? {}),

    /** Keeps the end of a log short, after a run has stored its `own` events. */
    tidy: async (account: string, end: Item, own: readonly string[]): Promise<void> => {
      const { tail, late } = endIn(end);
      if (!endsPage(tail.length, own.length)) return;
      const unsure = [...Object.keys(late), ...tail.slice(0, longestPage).map(({ id }) => id)];
      const stored = await isStored(
        account,
        unsure.filter((id) => !own.includes(id)),
      );
      const all = new Set([...stored, ...own]);
      await turnPage(account, end, pageOf(tail, all), all);
    },

    /** A place before all events that happened since an instant. */
    placeAt: async (account: string, sinceMs: number): Promise<PlaceInLog> => {
      const upTo = { ...idsUntil(sinceMs), newestFirst: true, limit: 1 };
      const [page] = await table.query(partitions.eventPages(account, api), upTo);
      return { page: page ? String(page['SK']) : everyId.from, position: 0 };
    },

    /**
     * The events after a place, in their order: those of some pages and, behind the last page, of the tail. `untilMs`: pages that begin later are
     * left out.
     */
    read: async (account: string, after: PlaceInLog, mostPages: number, untilMs?: number): Promise<ReadEvents> => {
      // Before the pages: what leaves the tail from now on is in this copy of it.
      const item = (await table.get(itemKeys.eventLog(account, api))) ?? {};
      const from = after.page === '' ? everyId.from : after.page;
      const to = untilMs === undefined ? everyId.to : lastIdAt(untilMs);
      const stretch = { from, to, newestFirst: false, limit: mostPages };
      const pages = await table.query(partitions.eventPages(account, api), stretch);
      const onPages = pages.flatMap(({ first, events }) =>
        loggedIn(events).map((event, n) => ({ ...event, position: Number(first) + n })),
      );
      const end = endIn(item);
      const isLast = pages.length < mostPages;
      const onTail = isLast ? end.tail.map((event, n) => ({ ...event, position: firstOfTail(end) + n })) : [];
      const known = Math.max(after.position, onPages.at(-1)?.position ?? 0);
      const events = [
        ...onPages.filter(({ position }) => position > after.position),
        ...onTail.filter(({ position }) => position > known),
      ];
      const page = String(pages.at(-1)?.['SK'] ?? after.page);
      const next = isLast ? undefined : { page, position: events.at(-1)?.position ?? after.position };
      return { events, unsure: new Set(numbersIn(end).keys()), next };
    },

    /** Counts for a subscription no more. */
    forget: async (account: string, webhook: string): Promise<void> => {
      await table.update({
        Key: itemKeys.eventLog(account, api),
        UpdateExpression: 'REMOVE #total',
        ConditionExpression: 'attribute_exists(#total)',
        ExpressionAttributeNames: { '#total': totalPrefix + webhook },
      });
    },
  };
};
