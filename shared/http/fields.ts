import * as z from 'zod';
import type { FaultCode } from '../kit/fault.ts';
import { JsonText } from '../kit/json-text.ts';
import { isoPattern, parseIso } from '../kit/time.ts';

/** The digits that a number represents exactly. */
export const largestInteger = 999_999_999_999_999;

/** A whole number in a query string. */
export const integerText = ({ from, to = largestInteger }: { readonly from: number; readonly to?: number }) =>
  z
    .string()
    .refine((text) => /^-?\d+$/.test(text), 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= from, `must be at least ${from}`)
    .refine((value) => value <= to, `must be at most ${to}`)
    .meta({ type: 'integer', minimum: from, maximum: to });

/** An ISO 8601 date or date-time in a query string, as milliseconds since 1970. */
export const instantText = z
  .string()
  .transform((text, context) => {
    const timeMs = parseIso(text);
    if (timeMs !== undefined) return timeMs;
    context.addIssue('must be an ISO 8601 date or date-time');
    return z.NEVER;
  })
  .meta({ pattern: isoPattern, examples: ['2026-11-20T12:00:00Z'] });

/** How long what is replaced stays valid beside what is new: up to 7 days. */
export const overlapSeconds = z
  .int()
  .min(0)
  .max(7 * 24 * 60 * 60);

/** A plain JSON object, stored verbatim: no key is dropped, renamed or reordered, not even `__proto__`. */
export const verbatimObject = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object',
    abort: false,
  })
  .meta({ type: 'object' });

/** An object that is stored and returned as its original JSON text. */
export const jsonText = ({ atMostBytes }: { readonly atMostBytes: number }) =>
  z
    .transform((value: Record<string, unknown>) => JsonText.of(value))
    .refine(({ text }) => Buffer.byteLength(text) <= atMostBytes, `must be at most ${atMostBytes} bytes of JSON`);

/** A rule between fields. When it is broken, the message reports `what` at `field`. */
export interface Rule<Body> {
  readonly field: keyof Body & string;
  /** The name in the message, if it is more than the field. */
  readonly named?: string | undefined;
  readonly what: string | ((body: Body) => string | undefined);
  readonly isBroken: (body: Body) => boolean;
  readonly code?: FaultCode;
}

/** Adds rules that are checked even when other fields have failed, so that one answer names all errors. */
export const withRules = <Fields extends z.ZodObject>(
  fields: Fields,
  rules: readonly Rule<z.output<Fields>>[],
): Fields =>
  rules.reduce(
    (schema, { field, named = field, what, isBroken, code }) =>
      schema.refine((body) => !isBroken(body), {
        path: [named],
        error: typeof what === 'string' ? what : ({ input }) => what(input as z.output<Fields>),
        params: { code },
        // A row of a list may be anything.
        when: ({ issues, value }) =>
          typeof value === 'object' && value !== null && !issues.some(({ path }) => path?.[0] === field),
      }),
    fields,
  );
