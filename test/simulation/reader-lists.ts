import type { Data } from './client.ts';
import type { Judged } from './invariants.ts';
import { couldBe, type Fits, livesIn, mustBe, type Span, type Window } from './lives.ts';
import type { ListRule } from './reader-row.ts';
import { listRules } from './reader-rules.ts';
import { mostPages, type Read, type Walk } from './readers.ts';

/** A page of a list, with what it says of those that follow. */
const pageOf = ({
  answer: { body },
}: Read): { readonly rows: readonly Data[]; readonly cursor: string | null; readonly hasMore: boolean } => ({
  rows: body.data,
  ...body.pagination,
});

const rowsIn = ({ pages }: Walk): readonly Data[] => pages.flatMap((page) => pageOf(page).rows);

/** When the table, or its index, was what a read shows. */
const windowOf = (from: Read, to: Read, lagMs: number): Window => ({ fromMs: from.fromMs - lagMs, toMs: to.toMs });

interface Judging {
  readonly judged: Judged;
  readonly walk: Walk;
  readonly first: Read;
  readonly last: Read;
  readonly rule: ListRule;
  readonly fits: Fits;
  readonly lagMs: number;
  readonly lives: ReadonlyMap<string, readonly Span[]>;
}

const judgingOf = (judged: Judged, walk: Walk): Judging | undefined => {
  const [first, last] = [walk.pages[0], walk.pages.at(-1)];
  const rule = first && listRules[first.place];
  if (!first || !last || !rule) return undefined;
  const fits = rule.fits(first, judged);
  return { judged, walk, first, last, rule, fits, lagMs: rule.lagMs(first), lives: livesIn(judged.world, rule.kind) };
};

/** For each list that was read, what it breaks. */
export const ofWalks =
  (what: (judging: Judging) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    (judged.readers?.walks ?? []).flatMap((walk) => {
      const judging = judgingOf(judged, walk);
      if (!judging) return [];
      const { place, query, account } = judging.first;
      return what(judging).map((each) => `${place} ${JSON.stringify(query)} of ${account.ref.id}: ${each}`);
    });

/** Rows that were there, as the list asks for, from before the first page to after the last, and are on none. */
export const missingIn = ({ walk, first, last, fits, lagMs, lives }: Judging): readonly string[] => {
  const shown = new Set(rowsIn(walk).map(({ id }) => id));
  const end = walk.isOver ? '' : (pageOf(last).cursor ?? '');
  const window = windowOf(first, last, lagMs);
  return [...lives].flatMap(([id, spans]) =>
    id > end && !shown.has(id) && mustBe(spans, window, fits) ? [`${id} is on no page`] : [],
  );
};

/** Rows that come twice, or not in the order of their ids, the newest first. */
export const disorderIn = ({ walk }: Judging): readonly string[] => {
  const ids = rowsIn(walk).map(({ id }) => String(id));
  return ids.flatMap((id, n) => (n > 0 && id >= (ids[n - 1] ?? '') ? [`${id} comes after ${ids[n - 1]}`] : []));
};

/** Rows that were not there at the time of their page, or not like that. */
export const strangersIn = ({ walk, rule, fits, lagMs, lives, judged }: Judging): readonly string[] =>
  walk.pages.flatMap((page) =>
    pageOf(page).rows.flatMap((row) => {
      const isRight: Fits = (item, atMs) => fits(item, atMs) !== false && rule.shows(row, item, atMs, judged);
      const isThere = couldBe(lives.get(row.id) ?? [], windowOf(page, page, lagMs), isRight);
      return isThere ? [] : [`${row.id} is shown as ${JSON.stringify(row)}`];
    }),
  );

/** Pages that are not what their list promises. */
export const oddPagesIn = ({ walk, first, fits, lagMs, lives }: Judging): readonly string[] => {
  const limit = Number(first.query['limit']);
  const odd = walk.pages.flatMap((page) => {
    const { rows, cursor, hasMore } = pageOf(page);
    if (hasMore !== (cursor !== null)) return [`has more: ${hasMore}, cursor: ${cursor}`];
    if (rows.length > limit) return [`${rows.length} rows`];
    if (!hasMore) return [];
    if (rows.length < limit || rows.at(-1)?.id !== cursor) return [`${rows.length} rows, and more after ${cursor}`];
    const window = windowOf(page, page, lagMs);
    const isTrue = [...lives].some(([id, spans]) => id < String(cursor) && couldBe(spans, window, fits));
    return isTrue ? [] : [`there was nothing after ${cursor}`];
  });
  return walk.pages.length >= mostPages ? [...odd, 'it does not end'] : odd;
};
