import { firstIdAt, lastIdAt } from '../kit/id.ts';
import { before, behind } from './merged-rows.ts';

/** A span of time, both ends included. */
interface TimeSpan {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** What a list of a span's ids, newest first, has after the page that ended with the id `cursor`. */
export const newestAfter = (
  cursor: string | undefined,
  { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }: TimeSpan = {},
) => {
  const newest = lastIdAt(toMs);
  return { from: firstIdAt(fromMs), to: cursor !== undefined && cursor <= newest ? before(cursor) : newest };
};

/** The same of a list that has the oldest first. */
export const oldestAfter = (
  cursor: string | undefined,
  { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }: TimeSpan = {},
) => ({ from: cursor === undefined ? firstIdAt(fromMs) : behind(cursor), to: lastIdAt(toMs) });
