import { answered, type RequestFilter, type RequestLine, type RequestPlace, requestLine } from '../kit/request-line.ts';
import { iso } from '../kit/time.ts';
import type { LogPage, LogSearch, SearchLog } from './log-search.ts';

/** How far back the request log goes. */
const requestLogMs = 24 * 3_600_000;

interface Wanted {
  readonly filter: RequestFilter;
  readonly before?: RequestPlace | undefined;
  readonly limit: number;
}

/**
 * The log is searched backwards in spans, each in one piece, because a search returns the oldest lines first. The first is small, and each next one
 * larger: in a busy log, a search of a large one would take all the time, and so would that of each next page.
 */
const firstSpanMs = 15_000;
/** A span with more pages is searched in smaller ones, down to this. */
const pagesAtOnce = 4;
const leastSpanMs = 1_000;
/** A page of the list ends early after this time: a search through a large log takes seconds. */
const searchWithinMs = 8_000;

type Found = RequestPlace & { readonly row: RequestLine & { readonly at: string } };

/** Requests of an account, as the functions' log has them. */
export const openRequestLog = (search: SearchLog, clock = () => performance.now()) => {
  /** All lines of a span; undefined when they are too many for one piece, or the time is over. */
  const linesIn = async (span: LogSearch, isOver: () => boolean): Promise<LogPage['events'] | undefined> => {
    const isLeast = span.untilMs - span.sinceMs <= leastSpanMs;
    const events: LogPage['events'] = [];
    let nextToken: string | undefined;
    for (let pages = 0; isLeast || pages < pagesAtOnce; pages += 1) {
      const page = await search({ ...span, nextToken });
      events.push(...page.events);
      nextToken = page.nextToken;
      if (nextToken === undefined) return events;
      if (isOver()) return undefined;
    }
    return undefined;
  };

  return {
    /** Newest first. With `next`, there may be more, even if none is found. */
    list: async (accountId: string, { filter, before, limit }: Wanted, nowMs: number) => {
      const pattern = patternOf(accountId, filter);
      const endMs = clock() + searchWithinMs;
      const isOver = () => clock() > endMs;
      const oldestMs = nowMs - requestLogMs;
      const found: Found[] = [];
      let [untilMs, spanMs] = [before?.atMs ?? nowMs, firstSpanMs];
      while (found.length <= limit && untilMs >= oldestMs && !isOver()) {
        const sinceMs = Math.max(oldestMs, untilMs - spanMs);
        const lines = await linesIn({ pattern, sinceMs, untilMs }, isOver);
        if (lines === undefined) {
          spanMs = Math.max(leastSpanMs, Math.floor(spanMs / 8));
          continue;
        }
        found.push(...lines.flatMap(foundIn).filter(isBefore(before)).toSorted(newestFirst));
        untilMs = sinceMs - 1;
        spanMs *= 4;
      }
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      const rest = untilMs === before?.atMs ? before : { atMs: untilMs + 1, requestId: '' };
      return { rows: rows.map(({ row }) => row), next: last ?? (untilMs >= oldestMs ? rest : undefined) };
    },
  };
};

export type RequestLog = ReturnType<typeof openRequestLog>;

const sourceTerms = { keys: '$.isFromDashboard NOT EXISTS', dashboard: '$.isFromDashboard IS TRUE' } as const;

const patternOf = (accountId: string, { source, status, method, path }: RequestFilter): string => {
  const least = Number(status?.[0]) * 100;
  const terms = [
    `$.message = "${answered}"`,
    `$.accountId = "${accountId}"`,
    ...(source ? [sourceTerms[source]] : []),
    ...(status ? [`$.status >= ${least}`, `$.status < ${least + 100}`] : []),
    ...(method ? [`$.method = "${method}"`] : []),
    ...(path ? [`$.path = "*${path}*"`] : []),
  ];
  return `{ ${terms.join(' && ')} }`;
};

const foundIn = ({ timestamp: atMs, message }: LogPage['events'][number]): Found[] => {
  const { data: line } = requestLine.safeParse(JSON.parse(message));
  return line ? [{ atMs, requestId: line.requestId, row: { at: iso(atMs), ...line } }] : [];
};

const newestFirst = (a: RequestPlace, b: RequestPlace): number =>
  b.atMs - a.atMs || (a.requestId < b.requestId ? 1 : -1);

const isBefore =
  (place: RequestPlace | undefined) =>
  ({ atMs, requestId }: RequestPlace): boolean =>
    !place || atMs < place.atMs || (atMs === place.atMs && requestId < place.requestId);
