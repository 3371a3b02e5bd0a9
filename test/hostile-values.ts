import * as fc from 'fast-check';
import type { Schema } from '../shared/docs/document.ts';
import { nameOf } from '../shared/docs/schemas.ts';

// Values for the fuzz tests: what a schema describes, and what breaks programs that trust their callers.

/** Texts that have broken other services: encodings, injections, numbers in disguise, names of JavaScript's own. */
export const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u200b',
  '\u202etxt.exe',
  '\ufeff',
  '\ufffe',
  '\u0085',
  '\u2028',
  'é'.normalize('NFD'),
  'ﷺ',
  '田中さん',
  'বাংলা',
  '👩‍👩‍👧‍👦',
  '🇧🇩',
  '\ud800',
  'a\udfff',
  'null',
  'undefined',
  'true',
  'NaN',
  '-0',
  '1e1000',
  '0x10',
  '999999999999999999999',
  '1_000',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '%00',
  '%',
  '%zz',
  "' OR 1=1 --",
  '"; DROP TABLE contacts; --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '{{constructor}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an injection, not a template
  '${7*7}',
  '$(id)',
  '`id`',
  '=1+1',
  '-----BEGIN',
  'A#x#MSG',
  'KEY#',
  'a\r\nSet-Cookie: x=1',
  'a\nBcc: x@example.com',
  'javascript:alert(1)',
  'http://169.254.169.254/',
  'http://[::1]/',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '+99999-12-31T00:00:00Z',
  'x'.repeat(10_000),
] as const;

export const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

/** Any value, regardless of what a schema says. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.constantFrom(0, -0, -1, 0.5, 1e308, 2 ** 53, 10 ** 12, -(2 ** 31), true, false, null, [], {}),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      [[[]]],
      [null],
      [{}],
      { a: { b: {} } },
      Array.from({ length: 200 }, () => 0),
    ),
  },
);

export type Named = Readonly<Record<string, Schema>>;

/** Values as a schema describes them, as far as it can be followed: enough that many requests pass validation. */
const described = (schema: Schema, named: Named): fc.Arbitrary<unknown> => {
  const { $ref, enum: choices, anyOf, allOf, examples } = schema;
  if ($ref !== undefined) return described(named[nameOf($ref)] ?? {}, named);
  if ('const' in schema) return fc.constant(schema.const);
  if (choices) return fc.constantFrom(...choices);
  if (examples?.length) return fc.constantFrom(...examples);
  if (anyOf) return fc.oneof(...anyOf.map((part) => described(part, named)));
  if (allOf)
    return fc
      .tuple(...allOf.map((part) => described(part, named)))
      .map((parts) => Object.assign({}, ...parts.filter((part) => typeof part === 'object')));
  return describedByType(schema, named);
};

const describedByType = (schema: Schema, named: Named): fc.Arbitrary<unknown> => {
  const { minimum = 0, maximum = 1_000_000, minItems = 0, maxItems = 3, minLength = 0, maxLength = 60 } = schema;
  switch ([schema.type].flat()[0]) {
    case 'object':
      return describedObject(schema, named);
    case 'array':
      return fc.array(described(schema.items ?? {}, named), {
        minLength: Math.min(minItems, 3),
        maxLength: Math.max(minItems, Math.min(maxItems, 3)),
      });
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, 2 ** 53)) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return schema.format === 'date-time'
        ? fc.constant('2026-11-20T12:00:00.000Z')
        : fc.string({ unit: 'grapheme', minLength: Math.min(minLength, 60), maxLength: Math.min(maxLength, 60) });
  }
};

const describedObject = ({ properties = {}, required = [] }: Schema, named: Named): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, described(part, named)])), {
    requiredKeys: [...required],
  });

/** The same, with some fields replaced by anything, added or missing; or something else altogether. */
export const nearly = (schema: Schema, named: Named): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: described(schema, named) },
    { weight: 6, arbitrary: fc.tuple(described(schema, named), fc.infiniteStream(anything), fc.nat()).map(spoilt) },
    { weight: 1, arbitrary: anything },
  );

const spoilt = ([value, others, seed]: readonly [unknown, fc.Stream<unknown>, number]): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return others.next().value;
  const names = [...Object.keys(value), 'unknownField'];
  const name = names[seed % names.length] ?? '';
  return { ...value, [name]: others.next().value };
};

/** API Gateway itself refuses a request line and headers of more than 10,240 bytes together. */
const longestInUrl = 1_000;

/** A value for a place in a URL. */
export const inUrl = (schema: Schema, named: Named): fc.Arbitrary<string> =>
  fc
    .oneof({ weight: 2, arbitrary: described(schema, named).map(String) }, { weight: 3, arbitrary: text })
    .map((value) => encodeURIComponent(value.slice(0, longestInUrl).toWellFormed()))
    .map((value) => (/^\.{0,2}$/.test(value) ? '%20' : value));
