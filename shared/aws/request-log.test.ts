import { describe, expect, it } from 'vitest';
import type { RequestPlace } from '../kit/request-line.ts';
import type { LogSearch } from './log-search.ts';
import { openRequestLog } from './request-log.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const account = 'account';

interface Logged {
  readonly timestamp: number;
  readonly requestId: string;
}

const lineOf = ({ timestamp, requestId }: Logged) => ({
  timestamp,
  message: JSON.stringify({
    requestId,
    routeKey: 'GET /api/v1/messages',
    method: 'GET',
    path: '/api/v1/messages',
    status: 200,
    durationMs: 3,
  }),
});

/** Pages of so many lines, oldest first, as CloudWatch Logs gives them. */
const searchIn = (logged: readonly Logged[], pageSize: number) => {
  const searches: LogSearch[] = [];
  const search = async (one: LogSearch) => {
    searches.push(one);
    const fitting = logged
      .filter(({ timestamp }) => timestamp >= one.sinceMs && timestamp <= one.untilMs)
      .toSorted((a, b) => a.timestamp - b.timestamp);
    const from = Number(one.nextToken ?? 0);
    const next = from + pageSize;
    const events = fitting.slice(from, next).map(lineOf);
    return { events, nextToken: next < fitting.length ? String(next) : undefined };
  };
  return { search, searches };
};

const listAll = async (log: ReturnType<typeof openRequestLog>, limit: number): Promise<string[]> => {
  const ids: string[] = [];
  let before: RequestPlace | undefined;
  do {
    const { rows, next } = await log.list(account, { filter: {}, before, limit }, now);
    expect(rows.length).toBeLessThanOrEqual(limit);
    ids.push(...rows.map(({ requestId }) => requestId));
    before = next;
  } while (before);
  return ids;
};

/** Bursts, gaps, and several requests in one millisecond. */
const logged = Array.from({ length: 300 }, (_, n) => ({
  timestamp: now - Math.floor(n / 3) ** 2 * 800,
  requestId: `r${String(n).padStart(3, '0')}`,
}));

const newestFirst = logged
  .toSorted((a, b) => b.timestamp - a.timestamp || (a.requestId < b.requestId ? 1 : -1))
  .map(({ requestId }) => requestId);

describe('the request log', () => {
  it.each([
    [1, 5],
    [7, 5],
    [100, 5],
    [20, 1_000],
  ])(
    'has every request once in pages of %i rows, newest first, from a log whose pages have %i lines',
    async (limit, pageSize) => {
      expect(await listAll(openRequestLog(searchIn(logged, pageSize).search), limit)).toEqual(newestFirst);
    },
  );

  it('is searched for the last 24 hours, and ends there', async () => {
    const { search, searches } = searchIn([{ timestamp: now - 86_400_001, requestId: 'old' }], 5);
    const { rows, next } = await openRequestLog(search).list(account, { filter: {}, limit: 20 }, now);
    expect([rows, next]).toEqual([[], undefined]);
    expect(Math.min(...searches.map(({ sinceMs }) => sinceMs))).toBe(now - 86_400_000);
  });

  it('goes on after the same request where the time was over before anything was searched', async () => {
    let reading = 0;
    const endless = async () => ({ events: [], nextToken: 'more' });
    const tooSlow = openRequestLog(endless, () => {
      reading += 9_000;
      return reading;
    });
    const before = { atMs: now - 1_000, requestId: 'r001' };
    expect(await tooSlow.list(account, { filter: {}, before, limit: 20 }, now)).toEqual({ rows: [], next: before });
  });

  it('ends a page early when the time for it is over, and the next one goes on where it stopped', async () => {
    let reading = 0;
    const slow = openRequestLog(searchIn(logged, 1_000).search, () => {
      reading += 3_000;
      return reading;
    });
    const { rows, next } = await slow.list(account, { filter: {}, limit: 1_000 }, now);
    expect(rows.length).toBeLessThan(logged.length);
    expect(next).toBeDefined();
    expect(await listAll(slow, 1_000)).toEqual(newestFirst);
  });

  it('shows requests also of an account that makes a hundred a second, where each search takes a second', async () => {
    const busy = Array.from({ length: 60_000 }, (_, n) => ({ timestamp: now - n * 10, requestId: `r${n}` }));
    const { search, searches } = searchIn(busy, 1_000);
    const log = openRequestLog(search, () => searches.length * 1_000);
    const { rows } = await log.list(account, { filter: {}, limit: 20 }, now);
    expect(rows.map(({ requestId }) => requestId)).toEqual(busy.slice(0, 20).map(({ requestId }) => requestId));
  });

  it('is searched by every filter, and for the account first', async () => {
    const { search, searches } = searchIn([], 5);
    const filter = { status: '4xx', method: 'POST', path: '/messages' } as const;
    await openRequestLog(search).list(account, { filter, limit: 1 }, now);
    expect(searches[0]?.pattern).toBe(
      '{ $.message = "answered" && $.accountId = "account" && $.status >= 400 && $.status < 500 && $.method = "POST" && $.path = "*/messages*" }',
    );
  });
});
