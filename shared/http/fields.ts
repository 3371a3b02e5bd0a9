import * as z from 'zod';
import { parseIso } from '../kit/time.ts';

/** A whole number in a query string. */
export const integerText = (range: { readonly from: number; readonly to?: number }) => {
  const number = z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= range.from, `must be at least ${range.from}`);
  return range.to === undefined
    ? number
    : number.refine((value) => value <= Number(range.to), `must be at most ${range.to}`);
};

/** An ISO 8601 date or date-time in a query string, as milliseconds since 1970. */
export const instantText = z.string().transform((text, context) => {
  const timeMs = parseIso(text);
  if (timeMs !== undefined) return timeMs;
  context.addIssue('must be an ISO 8601 date or date-time');
  return z.NEVER;
});

/** A plain JSON object, kept as it came: no key is dropped, renamed or reordered, `__proto__` included. */
export const verbatimObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
