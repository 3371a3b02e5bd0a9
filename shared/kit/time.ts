/** Milliseconds since 1970, passed in wherever a rule depends on the time. */
export type Clock = () => number;

/** ISO 8601 in UTC with milliseconds, as every timestamp on the wire. */
export const iso = (timeMs: number): string => new Date(timeMs).toISOString();

const isoShape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** `Date.parse` takes the 30th of February for the 2nd of March. */
const isDay = (day: string): boolean => {
  const dayMs = Date.parse(day);
  return !Number.isNaN(dayMs) && iso(dayMs).startsWith(day);
};

/**
 * The instant of an ISO 8601 date or date-time, or undefined. Without an offset it is UTC. A blank stands for the `+` of an offset,
 * which is what a query string makes of an unescaped one.
 */
export const parseIso = (text: string): number | undefined => {
  const trimmed = text.replace(/ (?=\d{2}:?\d{2}$)/, '+').toUpperCase();
  if (!isoShape.test(trimmed) || !isDay(trimmed.slice(0, 10))) return undefined;
  const zoned = /T.*(Z|[+-]\d{2}(:?\d{2})?)$|^[^T]*$/.test(trimmed) ? trimmed : `${trimmed}Z`;
  const timeMs = Date.parse(zoned.replace(',', '.').replace(/([+-]\d{2})$/, zoned.includes('T') ? '$1:00' : '$1'));
  return Number.isNaN(timeMs) ? undefined : timeMs;
};
