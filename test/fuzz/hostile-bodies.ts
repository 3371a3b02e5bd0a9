import * as fc from 'fast-check';
import type { Schema } from '../../shared/docs/document.ts';
import { nameOf } from '../../shared/docs/schemas.ts';
import { JsonText, jsonOf } from '../../shared/kit/json-text.ts';
import { anything, hostileTexts, type Named, text } from '../hostile-values.ts';

// Valid bodies with one hostile field.

type Step = string | number;

interface Field {
  readonly at: readonly Step[];
  /** The schemas of its containers, to make those that a body lacks. */
  readonly containers: readonly Schema[];
}

const deepest = 5;
const hostileNames = hostileTexts.filter((each) => each.length < 100);

/** Schemas that the schema stands for: those it refers to, and its alternatives. */
const alternativesOf = (schema: Schema, named: Named): readonly Schema[] => {
  const { $ref, anyOf = [], allOf = [] } = schema;
  const parts = [...anyOf, ...allOf, ...($ref === undefined ? [] : [named[nameOf($ref)] ?? {}])];
  return [schema, ...parts.flatMap((part) => alternativesOf(part, named))];
};

const membersOf = ({ properties = {}, items, additionalProperties }: Schema): readonly (readonly [Step, Schema])[] => [
  ...Object.entries(properties),
  ...(items ? [[0, items] as const] : []),
  ...(typeof additionalProperties === 'object' ? [['anyName', additionalProperties] as const] : []),
];

/** Every field of a body, at every depth; names that the caller chooses are among them. */
export const fieldsOf = (body: Schema, named: Named): readonly Field[] => {
  const below = (schema: Schema, { at, containers }: Field): Field[] =>
    alternativesOf(schema, named).flatMap((part) => {
      const isOpen = part.type === 'object' && part.properties === undefined;
      const fields = [...membersOf(part), ...(isOpen ? hostileNames.map((name) => [name, {}] as const) : [])];
      return fields.flatMap(([step, member]) => {
        const field = { at: [...at, step], containers: [...containers, part] };
        return [field, ...(field.at.length < deepest ? below(member, field) : [])];
      });
    });
  const all = below(body, { at: [], containers: [] });
  return [...new Map(all.map((field) => [field.at.join('\n'), field])).values()];
};

/** The least that a schema describes. */
const leastOf = (schema: Schema, named: Named): unknown => {
  const { $ref, enum: choices, anyOf, examples, properties = {}, required = [] } = schema;
  if ($ref !== undefined) return leastOf(named[nameOf($ref)] ?? {}, named);
  if ('const' in schema) return schema.const;
  if (examples?.length) return structuredClone(examples[0]);
  if (choices) return choices[0];
  if (anyOf) return leastOf(anyOf[0] ?? {}, named);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, leastOf(properties[name] ?? {}, named)]));
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return 'Ada';
  }
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Numbers that JavaScript would print as others. */
const numbers = ['1e400', '-1e400', '1.0', '1E2', '-0', '-0.0', '9007199254740993', '1e-400', `1${'0'.repeat(400)}`];

const missing = Symbol('missing');
const repeated = Symbol('repeated');

/** Stands for bytes that are not UTF-8, until the body is text. */
const notUtf8 = 'bytes-that-are-not-utf-8';

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 4, arbitrary: anything },
  { weight: 2, arbitrary: fc.constantFrom(...numbers).map((number) => new JsonText(number)) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(100_000), '\u{1f469}'.repeat(25_000), notUtf8) },
  { weight: 3, arbitrary: fc.constantFrom(missing, repeated) },
  // Within what is valid otherwise: the part before `@`, the host of a URL.
  { weight: 3, arbitrary: fc.tuple(text, fc.nat({ max: 30 })).map(([part, at]) => ({ inserted: part, at })) },
);

interface Insertion {
  readonly inserted: string;
  readonly at: number;
}
const isInsertion = (value: unknown): value is Insertion => isObject(value) && 'inserted' in value;

const valueFor = (hostileValue: unknown, before: unknown): unknown => {
  if (hostileValue === repeated) return [before, before];
  if (!isInsertion(hostileValue)) return hostileValue;
  const valid = typeof before === 'string' ? before : '';
  return `${valid.slice(0, hostileValue.at)}${hostileValue.inserted}${valid.slice(hostileValue.at)}`;
};

const define = (target: object, step: Step, value: unknown): void => {
  if (value === missing) Reflect.deleteProperty(target, step);
  else Object.defineProperty(target, step, { value, enumerable: true, writable: true, configurable: true });
};

/** A copy of a valid body with a hostile value at one field. */
const spoiled = (base: unknown, { at, containers }: Field, hostileValue: unknown, named: Named): unknown => {
  const body: unknown = structuredClone(base);
  let target = isObject(body) ? body : {};
  for (const [n, step] of at.slice(0, -1).entries()) {
    const own: unknown = Object.hasOwn(target, step) ? Reflect.get(target, step) : undefined;
    const least = isObject(own) ? own : leastOf(containers[n + 1] ?? {}, named);
    const next = isObject(least) ? least : {};
    define(target, step, next);
    target = next;
  }
  const last = at.at(-1) ?? 0;
  define(target, last, valueFor(hostileValue, Object.hasOwn(target, last) ? Reflect.get(target, last) : undefined));
  return body;
};

/** One valid body whose field is hostile, as it is sent. */
export const withOneHostileField = (
  bases: readonly unknown[],
  fields: readonly Field[],
  named: Named,
): fc.Arbitrary<string | Buffer> =>
  fc
    .record({
      base: fc.constantFrom(...bases),
      field: fc.constantFrom(...fields),
      hostileValue: hostile,
      isTwice: fc.nat({ max: 9 }).map((n) => n === 0),
    })
    .map(({ base, field, hostileValue, isTwice }) => {
      const body = jsonOf(spoiled(base, field, hostileValue, named));
      const json = isTwice && body.startsWith('{"') ? twice(body, base) : body;
      return json.includes(notUtf8) ? notAsText(json) : json;
    });

/** The members of the valid body, and then again with the hostile one. */
const twice = (body: string, base: unknown): string => `${jsonOf(base).replace(/\}$/, ',')}${body.slice(1)}`;

const notAsText = (json: string): Buffer =>
  Buffer.concat(
    json.split(notUtf8).flatMap((part, n) => [...(n > 0 ? [Buffer.from([0xc3, 0x28])] : []), Buffer.from(part)]),
  );
