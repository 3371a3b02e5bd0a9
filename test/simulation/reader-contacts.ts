import { foldEmail } from '../../shared/contacts/search.ts';
import type { Data } from './client.ts';
import type { AccountFacts } from './facts.ts';
import type { Judged } from './invariants.ts';
import { couldBe, type Fits, livesIn, mustBe, type Window } from './lives.ts';
import { agree, behindMs, isAsked, isOf, type ThingRule } from './reader-row.ts';
import { type Read, shownIn } from './readers.ts';
import type { Fields } from './table/value.ts';

type Contact = AccountFacts['contacts']['kept'][number];

/** What an item of a contact says. */
const versionOf = ({ facts }: Judged, item: Fields): Contact | undefined =>
  facts.map(({ contactVersions }) => contactVersions.get(item)).find((version) => version !== undefined);

const isSame = (row: Data, version: Contact | undefined): boolean =>
  version !== undefined &&
  (['email', 'phone', 'firstName', 'lastName', 'tags', 'source'] as const).every(
    (name) => JSON.stringify(row[name] ?? null) === JSON.stringify(version[name]),
  );

export const contact: ThingRule = {
  kind: { entity: 'contact', idOf: ({ SK }) => String(SK) },
  shows: (row, item, _, judged) => agree(row, item, 'status', 'updatedAt') && isSame(row, versionOf(judged, item)),
};

/** Words that are starts of names, a whole email or a whole phone. */
const isFound = (search: string, { email, phone, firstName }: Contact): boolean => {
  const names = (firstName ?? '').toLowerCase().split(' ');
  return (
    (email !== null && foldEmail(email) === foldEmail(search)) ||
    phone === search ||
    search.split(' ').every((word) => names.some((name) => name.startsWith(word)))
  );
};

const fitsOf = (read: Read, judged: Judged): Fits => {
  const { search, status, tags, source, minEngagementScore } = read.query;
  return (item) => {
    const version = versionOf(judged, item);
    return (
      isOf(read, item) &&
      version !== undefined &&
      isAsked(status?.toLowerCase(), item['status']) &&
      isAsked(source, version.source) &&
      (tags === undefined || tags.split(',').some((tag) => version.tags.includes(tag))) &&
      (search === undefined || isFound(search, version)) &&
      Number(item['score']) >= Number(minEngagementScore ?? 0)
    );
  };
};

/** Where a row stands in its list; undefined where it may have moved while it was read. */
const placesIn = (rows: readonly Data[], { query }: Read): readonly string[] =>
  query['sortBy'] === undefined ? rows.map(({ id }) => id) : [];

const wrongIn = (read: Read, judged: Judged): readonly string[] => {
  const { data, pagination } = read.answer.body;
  const rows: readonly Data[] = data;
  const limit = Number(read.query['limit']);
  const { sortBy, minEngagementScore } = read.query;
  const lagMs = sortBy === 'engagementScore' || minEngagementScore !== undefined ? behindMs : 0;
  const window: Window = { fromMs: read.fromMs - lagMs, toMs: read.toMs };
  const [fits, lives] = [fitsOf(read, judged), livesIn(judged.world, contact.kind)];
  const those = (isMeant: typeof mustBe) =>
    [...lives].flatMap(([id, spans]) => (isMeant(spans, window, fits) ? [id] : []));
  const [least, most] = [those(mustBe), those(couldBe)];
  const strangers = rows.filter((row) => {
    const isShown = couldBe(lives.get(row.id) ?? [], read, (item, atMs) => contact.shows(row, item, atMs, judged));
    return !most.includes(row.id) || !isShown;
  });
  const ids = rows.map(({ id }) => id);
  const places = placesIn(rows, read);
  const ordered = read.query['sortOrder'] === 'asc' ? places.toSorted() : places.toSorted().reverse();
  const isWhole = pagination.page === 1 && limit >= most.length;
  const { total, totalPages } = pagination;
  const isStill = least.length === most.length && sortBy === undefined;
  const own = read.query['sortOrder'] === 'asc' ? least.toSorted() : least.toSorted().reverse();
  const expected = own.slice((pagination.page - 1) * limit, pagination.page * limit);
  return [
    ...strangers.map((row) => `${JSON.stringify(row)} was not there`),
    ...(new Set(ids).size < ids.length ? ['a contact is there twice'] : []),
    ...(places.join() === ordered.join() ? [] : [`${places.join()} is not in order`]),
    ...(isStill && expected.join() !== ids.join() ? [`${ids.join()} is shown, not ${expected.join()}`] : []),
    ...(isWhole ? least.filter((id) => !ids.includes(id)).map((id) => `${id} is missing`) : []),
    ...(total >= least.length && total <= most.length ? [] : [`${total} in all, of ${least.length} to ${most.length}`]),
    ...(rows.length <= limit && totalPages === Math.ceil(total / limit)
      ? []
      : [`${totalPages} pages of ${rows.length}`]),
  ];
};

/** Lists of contacts that show others than those that were there. */
export const wrongContactsIn = (judged: Judged): readonly string[] =>
  shownIn(judged.readers, 'contacts').flatMap((read) =>
    wrongIn(read, judged).map((what) => `${JSON.stringify(read.query)} at ${read.fromMs}: ${what}`),
  );
