import type { Data } from './client.ts';
import type { Judged } from './invariants.ts';
import { couldBe, type Kind, livesIn, mustBe, type Span } from './lives.ts';
import { isOf } from './reader-row.ts';
import { listRules } from './reader-rules.ts';
import { type Read, shownIn, type Walk } from './readers.ts';

const event: Kind = { entity: 'event', idOf: ({ PK }) => /#EVENT#(.*)$/.exec(String(PK))?.[1] };

const rowsOf = (read: Read): readonly Data[] => read.answer.body.data;

interface Logged {
  readonly id: string;
  readonly spans: readonly Span[];
  readonly name: string;
  readonly position: number;
}

const logOf = (judged: Judged, of: Read): readonly Logged[] =>
  [...livesIn(judged.world, event)]
    .flatMap(([id, spans]) => {
      const item = spans[0]?.item;
      return item && isOf(of, item) && String(item['event']).startsWith('message.')
        ? [{ id, spans, name: String(item['event']), position: Number(item['position']) }]
        : [];
    })
    .toSorted((one, other) => one.position - other.position);

/** Those at the beginning of a log that were all stored before a read: nothing of them may be passed by. */
const sureIn = (log: readonly Logged[], last: Read): readonly Logged[] => {
  const gap = log.findIndex(({ spans }) => !mustBe(spans, last, () => true));
  return gap < 0 ? log : log.slice(0, gap);
};

const wrongIn = ({ pages, isOver }: Walk, judged: Judged): readonly string[] => {
  const [first, last] = [pages[0], pages.at(-1)];
  if (first?.place !== 'events' || !last) return [];
  const log = logOf(judged, first);
  const types = first.query['types']?.split(',');
  const shown = pages.flatMap((page) => rowsOf(page).map(({ id, event: name }) => ({ id, name, page })));
  const places = shown.map(({ id, name }) => log.findIndex((one) => one.id === id && one.name === name));
  const strangers = shown.filter(
    ({ id, name, page }, n) =>
      !couldBe(log[places[n] ?? -1]?.spans ?? [], page, () => true) || types?.includes(name) === false || id === '',
  );
  const missing = sureIn(log, last).filter(
    ({ id, name }) => types?.includes(name) !== false && !shown.some((one) => one.id === id),
  );
  return [
    ...strangers.map(({ id, name }) => `${name} ${id} was not there`),
    ...(places.every((place, n) => n === 0 || place > (places[n - 1] ?? 0)) ? [] : ['events are not in their order']),
    ...(isOver ? missing.map(({ id, name }) => `${name} ${id} was passed by`) : []),
  ];
};

/** Lists of events that do not have all of the log, once and in order. */
export const wrongEventsIn = (judged: Judged): readonly string[] =>
  (judged.readers?.walks ?? []).flatMap((walk) =>
    wrongIn(walk, judged).map((what) => `${JSON.stringify(walk.pages[0]?.query)}: ${what}`),
  );

const wrongLogsIn = (read: Read, judged: Judged): readonly string[] => {
  const { data, total, page, pages } = read.answer.body;
  const rule = listRules.deliveries;
  const limit = Number(read.query['limit']);
  if (!rule) return [];
  const fits = rule.fits({ ...read, path: { webhookId: read.path['id'] ?? '' } }, judged);
  const lives = [...livesIn(judged.world, rule.kind)];
  const least = lives.filter(([, spans]) => mustBe(spans, read, fits)).map(([id]) => id);
  const most = lives.filter(([, spans]) => couldBe(spans, read, fits)).map(([id]) => id);
  const rows: readonly Data[] = data;
  const strangers = rows.filter((row) => {
    const spans = livesIn(judged.world, rule.kind).get(row.id) ?? [];
    const isShown = couldBe(
      spans,
      read,
      (item) => fits(item, read.toMs) !== false && item['attemptsMade'] === row.attempts && item['event'] === row.event,
    );
    return !isShown || row.payload.event !== row.event;
  });
  const ids = rows.map(({ id }) => String(id));
  const isOrdered = ids.every((id, n) => n === 0 || id < (ids[n - 1] ?? ''));
  const isWhole = page === 1 && limit >= most.length;
  const expected = least
    .toSorted()
    .reverse()
    .slice((page - 1) * limit, page * limit);
  return [
    ...strangers.map((row) => `${JSON.stringify(row)} was not there`),
    ...(least.length === most.length && expected.join() !== ids.join()
      ? [`${ids.join()} is shown, not ${expected.join()}`]
      : []),
    ...(isOrdered ? [] : [`${ids.join()} is not in order`]),
    ...(isWhole ? least.filter((id) => !ids.includes(id)).map((id) => `${id} is missing`) : []),
    ...(total >= least.length && total <= most.length ? [] : [`${total} in all, of ${least.length} to ${most.length}`]),
    ...(ids.length <= limit && pages === Math.ceil(total / limit) ? [] : [`${pages} pages of ${limit}`]),
  ];
};

/** Logs of subscriptions that show other deliveries than there were. */
export const wrongRowsOfLogsIn = (judged: Judged): readonly string[] =>
  shownIn(judged.readers, 'logs').flatMap((read) =>
    wrongLogsIn(read, judged).map((what) => `${read.path['id']} at ${read.fromMs}: ${what}`),
  );
