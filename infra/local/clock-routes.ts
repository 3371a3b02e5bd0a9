import * as z from 'zod';
import { jsonIn } from '../../shared/kit/json-in.ts';
import { millisecondsUntil } from './duration.ts';
import { jsonReply, type Reply, type Routes } from './emulators/local-server.ts';
import { freshStart } from './fresh-start.ts';
import { dateAheadMs } from './shifted-date.ts';
import type { timeSkip } from './time-skip.ts';

const demand = z.object({ skip: z.string() });
const lastMs = Date.UTC(2100, 0);

const refused = (body: string): Reply => ({ status: 400, body });

/** `GET /clock`: the time of the stack. `POST /clock` with `{"skip": "1h"}` moves it ahead. */
export const clockRoutes = (skip: ReturnType<typeof timeSkip>, dataDirectory: string): Routes => ({
  'GET /clock': () => jsonReply(200, { now: new Date().toISOString(), aheadSeconds: dateAheadMs() / 1_000 }),
  'POST /clock': async ({ body }) => {
    const { data } = demand.safeParse(jsonIn(await body()));
    if (!data) return refused('The body must be {"skip": "1h"}.');
    const nowMs = Date.now();
    const byMs = millisecondsUntil(data.skip, nowMs);
    if (byMs === undefined)
      return refused(
        `${data.skip || 'Nothing'} is not a time to skip. It must be as in 90s, 15m, 1h, 2d or 1d12h, or a time with its zone as in 2027-01-31T09:00:00Z.`,
      );
    if (byMs <= 0)
      return refused(
        `The clock only moves forward, and it is ${new Date(nowMs).toISOString()} now. ${freshStart(dataDirectory)} sets it back, and deletes the data.`,
      );
    if (nowMs + byMs >= lastMs) return refused('The clock cannot go beyond the year 2099.');
    const skipped = await skip((atMs) => millisecondsUntil(data.skip, atMs) ?? 0);
    return skipped
      ? jsonReply(200, skipped)
      : {
          status: 409,
          body: 'Functions kept running, or another skip is under way. The clock has not moved. Try again.',
        };
  },
});
