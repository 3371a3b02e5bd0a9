import { bytesOfId, derivedId, idOfBytes, timeOfId } from '../../kit/id.ts';
import type { LogEnd, LoggedEvent } from '../../webhooks/event-log.ts';
import type { Item } from '../table.ts';

// The attributes of the end of a log and of its pages, and what they say.

export const totalPrefix = 'to_';

/** The last six bytes of an id, which are random: enough to distinguish it from the others of its log. The end of a log is rewritten by every event, so it has to be small. */
export const markOf = (id: string): string => Buffer.from(id.slice(-12), 'hex').toString('base64url');

const uuidLength = 36;
const shortLength = 22;

/** An event's id, regardless of its prefix, with its UUID in 22 characters; and back. */
export const shortOf = (id: string): string =>
  id.slice(0, -uuidLength) + bytesOfId(id.slice(-uuidLength)).toString('base64url');
const idOfShort = (short: string): string =>
  short.slice(0, -shortLength) + idOfBytes(Buffer.from(short.slice(-shortLength), 'base64url'));

export const separator = ' ';
export const turnSeparator = ',';

export const entryOf = ({ id, name, occurredMs, wantedBy }: LoggedEvent): Item => ({
  id: shortOf(id),
  name,
  at: occurredMs,
  ...(wantedBy.length > 0 && { to: wantedBy.map(markOf).join(separator) }),
});

/** The events of a page or, with the subscriptions that are counted, of a tail. */
export const loggedIn = (entries: unknown, counted: Iterable<string> = []): LoggedEvent[] => {
  const byMark = new Map([...counted].map((webhook) => [markOf(webhook), webhook]));
  return ((entries as Item[] | undefined) ?? []).map(({ id, name, at, to = '' }) => ({
    id: idOfShort(String(id)),
    name: String(name),
    occurredMs: Number(at),
    // A subscription that was deleted is counted no more.
    wantedBy: String(to)
      .split(separator)
      .flatMap((mark) => byMark.get(mark) ?? []),
  }));
};

export const endIn = (end: Item): LogEnd => {
  const totals = new Map(
    Object.entries(end).flatMap(([name, total]) =>
      name.startsWith(totalPrefix) ? [[name.slice(totalPrefix.length), Number(total)] as const] : [],
    ),
  );
  return {
    last: Number(end['last'] ?? 0),
    totals,
    tail: loggedIn(end['tail'], totals.keys()),
    late: (end['late'] as LogEnd['late'] | undefined) ?? {},
  };
};

/** The last page. */
export const pageIn = (end: Item): string => String(end['page'] ?? '');

/** How often a page was turned. */
export const turnIn = (end: Item): number => Number(end['turn'] ?? 0);

/** The marks of stored events that left the tail with each of the last turns. */
export const turnsIn = (end: Item): readonly string[] =>
  end['turned'] === undefined ? [] : String(end['turned']).split(turnSeparator);

/** When the latest event on any page happened. */
export const latestIn = (end: Item): number => Number(end['latestMs'] ?? 0);

/** Each page comes after the one before it, and after all events of earlier pages. The same events always make the same page's id. */
export const pageIdOf = (first: LoggedEvent, end: Item): string =>
  derivedId(
    Math.max(first.occurredMs, latestIn(end) + 1, pageIn(end) === '' ? 0 : timeOfId(pageIn(end)) + 1),
    first.id,
  );

export const latestOf = (events: readonly LoggedEvent[]): number =>
  Math.max(...events.map(({ occurredMs }) => occurredMs));

export const countsOf = (events: readonly LoggedEvent[]): [webhook: string, count: number][] =>
  [
    ...Map.groupBy(
      events.flatMap(({ wantedBy }) => wantedBy),
      (webhook) => webhook,
    ),
  ].map(([webhook, some]) => [webhook, some.length]);
