/** Milliseconds since 1970. Passed to every rule that depends on the time. */
export type Clock = () => number;

/** ISO 8601 in UTC with milliseconds, as every timestamp on the wire. */
export const iso = (timeMs: number): string => new Date(timeMs).toISOString();

const date = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const time = '[0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?';
const offset = '([Zz]|[ +-][0-9]{2}(:?[0-9]{2})?)';

/** The format of `parseIso`, which also refuses days and times that do not exist. In the regex syntax common to JSON Schema validators. */
export const isoPattern = `^${date}([Tt]${time}${offset}?)?$`;
const isoShape = new RegExp(isoPattern);

/** What `iso` writes with a year of four digits: others are no date-time of JSON Schema, and are not sorted as texts. */
const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** `Date.parse` reads the 30th of February as the 2nd of March. */
const isDay = (day: string): boolean => {
  const dayMs = Date.parse(day);
  return !Number.isNaN(dayMs) && iso(dayMs).startsWith(day);
};

/**
 * The time of an ISO 8601 date or date-time, or undefined. Without an offset it is UTC. A space is read as the `+` of an offset,
 * because query strings decode an unescaped `+` to a space. A time that its offset moves out of the years 0000 to 9999 is the first or last of them.
 */
export const parseIso = (text: string): number | undefined => {
  if (!isoShape.test(text) || !isDay(text.slice(0, 10))) return undefined;
  const trimmed = text.replace(' ', '+').toUpperCase();
  const zoned = /T.*(Z|[+-]\d{2}(:?\d{2})?)$|^[^T]*$/.test(trimmed) ? trimmed : `${trimmed}Z`;
  const timeMs = Date.parse(zoned.replace(',', '.').replace(/([+-]\d{2})$/, zoned.includes('T') ? '$1:00' : '$1'));
  return Number.isNaN(timeMs) ? undefined : Math.min(Math.max(timeMs, firstMs), lastMs);
};

/** The delay of a job that is due then, in whole seconds. */
export const delayUntil = (dueMs: number, nowMs: number): { readonly delaySeconds: number } => ({
  delaySeconds: Math.max(0, Math.ceil((dueMs - nowMs) / 1_000)),
});

export const dayMinutes = 24 * 60;

/** SQS's maximum delay of a message. */
export const longestDelaySeconds = 900;
