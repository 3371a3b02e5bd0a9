import { hourMs } from '../kit/time-units.ts';
/** A time range in milliseconds since 1970, both ends included. */
export interface Range {
  readonly startMs: number;
  readonly endMs: number;
}

/** The stream worker counts hours, and may be this far behind. */
const settlingMs = 60_000;

/** The requested range; by default the current month (UTC) up to now. */
export const rangeOf = (
  { startDate, endDate }: { readonly startDate?: number | undefined; readonly endDate?: number | undefined },
  nowMs: number,
): Range => {
  const now = new Date(nowMs);
  return { startMs: startDate ?? Date.UTC(now.getUTCFullYear(), now.getUTCMonth()), endMs: endDate ?? nowMs };
};

/** Splits a range into whole hours with complete counts, and the rest before and after them, including the current hour. */
export const partsOf = (range: Range, nowMs: number): { readonly hours: Range[]; readonly edges: Range[] } => {
  const startMs = Math.max(range.startMs, 0);
  const { endMs } = range;
  const hoursStartMs = Math.ceil(startMs / hourMs) * hourMs;
  const hoursEndMs = startOfHour(Math.min(endMs + 1, nowMs - settlingMs)) - 1;
  if (hoursStartMs > hoursEndMs) return { hours: [], edges: [{ startMs, endMs }].filter(hasTime) };
  return {
    hours: [{ startMs: hoursStartMs, endMs: hoursEndMs }],
    edges: [
      { startMs, endMs: hoursStartMs - 1 },
      { startMs: hoursEndMs + 1, endMs },
    ].filter(hasTime),
  };
};

/** The count of an hour is about so old. */
const countedAgoMs = 10_000;

/** Whether a range has its hours whole, as far as they are counted by now. A caller's now is a little before ours. */
export const isWholeSoFar = ({ startMs, endMs }: Range, nowMs: number): boolean =>
  startMs === startOfHour(startMs) && endMs >= nowMs - countedAgoMs;

const startOfHour = (timeMs: number): number => Math.floor(timeMs / hourMs) * hourMs;

const hasTime = ({ startMs, endMs }: Range): boolean => startMs <= endMs;
