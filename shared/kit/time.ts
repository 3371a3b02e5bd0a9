/** Milliseconds since 1970, passed in wherever a rule depends on the time. */
export type Clock = () => number;

/** ISO 8601 in UTC with milliseconds, as every timestamp on the wire. */
export const iso = (timeMs: number): string => new Date(timeMs).toISOString();

const date = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const time = '[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?';
const offset = '([Zz]|[+-][0-9]{2}|[ +-][0-9]{2}:?[0-9]{2})';

/** What `parseIso` reads, apart from days and times that do not exist. In the syntax that all validators of JSON Schema share. */
export const isoPattern = `^${date}([Tt]${time}${offset}?)?$`;
const isoShape = new RegExp(isoPattern);

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
  if (!isoShape.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const trimmed = text.replace(' ', '+').toUpperCase();
  const zoned = /T.*(Z|[+-]\d{2}(:?\d{2})?)$|^[^T]*$/.test(trimmed) ? trimmed : `${trimmed}Z`;
  const timeMs = Date.parse(zoned.replace(',', '.').replace(/([+-]\d{2})$/, zoned.includes('T') ? '$1:00' : '$1'));
  return Number.isNaN(timeMs) ? undefined : timeMs;
};
