import type { Schema } from '../shared/docs/document.ts';
import { onceFor } from '../shared/kit/once-for.ts';

// The part of JSON Schema 2020-12 that the description uses. `format` is asserted, as in strict validators.

type Named = Readonly<Record<string, Schema>>;

export interface Reading {
  /** The targets of `$ref`, by name. */
  readonly named: Named;
  /** A field that no schema names is an error, except in parts of `allOf`. */
  readonly isClosed: boolean;
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const formats: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => dateTime.test(text) && !Number.isNaN(Date.parse(text)),
};

const typeOf = (value: unknown): readonly string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
};

const isOutside = (value: number, least: number | undefined, most: number | undefined): boolean =>
  value < (least ?? value) || value > (most ?? value);

/** No check counts the characters of a text that may have any number of them. */
const isLengthOutside = (text: string, least: number | undefined, most: number | undefined): boolean =>
  (least !== undefined || most !== undefined) && isOutside([...text].length, least, most);

const patternOf = onceFor((text) => new RegExp(text, 'u'));

/** The value's violations of its schema, as `path: violation`; empty when it is valid. */
export const issuesOf = (schema: Schema, value: unknown, reading: Reading, at = ''): string[] => {
  const { allOf = [], anyOf, not, $ref } = schema;
  const own: Reading = { ...reading, isClosed: reading.isClosed && allOf.length === 0 };
  const matches = (part: Schema): boolean => issuesOf(part, value, { ...own, isClosed: false }, at).length === 0;
  const wrong: string[] = [];
  if (schema.type !== undefined && ![schema.type].flat().some((type) => typeOf(value).includes(type)))
    wrong.push(`must be ${[schema.type].flat().join(' or ')}`);
  if (schema.enum && !schema.enum.includes(value)) wrong.push('is not one of the enum');
  if ('const' in schema && schema.const !== value) wrong.push('is not the constant');
  if (anyOf && !anyOf.some(matches)) wrong.push('matches none of anyOf');
  if (not && matches(not)) wrong.push('matches what it must not');
  return [
    ...[...wrong, ...rangeIssues(schema, value)].map((what) => `${at}: ${what}`),
    ...partIssues(schema, value, own, at),
    ...allOf.flatMap((part) => issuesOf(part, value, reading, at)),
    ...($ref === undefined ? [] : issuesOf(reading.named[nameIn($ref)] ?? { not: {} }, value, reading, at)),
  ];
};

const nameIn = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const rangeIssues = (schema: Schema, value: unknown): string[] => {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format = '' } = schema;
  if (typeof value === 'number') return isOutside(value, minimum, maximum) ? ['is out of range'] : [];
  if (Array.isArray(value)) return isOutside(value.length, minItems, maxItems) ? ['has too many or too few items'] : [];
  if (typeof value !== 'string') return [];
  return [
    ...(isLengthOutside(value, minLength, maxLength) ? ['is too long or too short'] : []),
    ...(pattern !== undefined && !patternOf(pattern).test(value) ? ['does not match the pattern'] : []),
    ...(formats[format]?.(value) === false ? [`is no ${format}`] : []),
  ];
};

const partIssues = (schema: Schema, value: unknown, reading: Reading, at: string): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { items, properties, required = [], additionalProperties } = schema;
  const below = (name: string | number) => (at === '' ? String(name) : `${at}.${name}`);
  if (Array.isArray(value)) {
    return items ? value.flatMap((item, n) => issuesOf(items, item, reading, below(n))) : [];
  }
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const isOpen = !(reading.isClosed && properties);
  return [
    ...missing.map((name) => `${below(name)}: is required`),
    ...Object.entries(value).flatMap(([name, part]) => {
      const known = properties && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (known === false || (known === undefined && !isOpen)) return [`${below(name)}: is not described`];
      return typeof known === 'object' ? issuesOf(known, part, reading, below(name)) : [];
    }),
  ];
};
