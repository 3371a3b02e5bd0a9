import * as z from 'zod';
import type { Schema } from './document.ts';

type NamedSchemas = Readonly<Record<string, Schema>>;

/** Turns the schemas of contracts into JSON Schema. Named ones (`.meta({ id })`) are listed once, under `named`, and referenced. */
export const openSchemas = () => {
  const named: Record<string, Schema> = {};
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: complete });
    const { $schema: _, $defs, ...own } = JSON.parse(JSON.stringify(converted).replaceAll('#/$defs/', refPrefix));
    Object.assign(named, $defs);
    return own;
  };
  return {
    named,
    /** The schema of requests. */
    taken: (schema: z.ZodType): Schema => convert(schema, 'input'),
    /** The schema of answers. */
    given: (schema: z.ZodType): Schema => convert(schema, 'output'),
  };
};

export type Schemas = ReturnType<typeof openSchemas>;

const refPrefix = '#/components/schemas/';

interface Converted {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** Restores the rules that zod drops from transformed strings, allows additional fields in answers, because later versions may add some, and shortens the schema. */
const complete = ({ zodSchema, jsonSchema }: Converted): void => {
  const { def } = zodSchema._zod;
  const examples = z.globalRegistry.get(zodSchema)?.['examples'];
  if (Array.isArray(examples)) jsonSchema.examples = examples;
  if (def.type === 'default' && typeof def.defaultValue !== 'object') jsonSchema.default = def.defaultValue;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.oneOf) {
    jsonSchema.anyOf = jsonSchema.oneOf;
    delete jsonSchema.oneOf;
  }
  if (def.type === 'nullable') foldNull(jsonSchema);
};

/** `anyOf: [{ type: 'string', … }, { type: 'null' }]` is `type: ['string', 'null'], …`, unless an enum would forbid null. */
const foldNull = (schema: z.core.JSONSchema.BaseSchema): void => {
  const [value] = schema.anyOf ?? [];
  if (typeof value !== 'object' || typeof value.type !== 'string' || value.enum) return;
  delete schema.anyOf;
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
};

/** The last part of a reference: its name under `components`. */
export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** Resolves a reference; any other schema is returned unchanged. */
const resolve = (schema: Schema, named: NamedSchemas): Schema =>
  schema.$ref === undefined ? schema : (named[nameOf(schema.$ref)] ?? {});

/** An example of the whole schema: its own, or one composed from its parts; undefined when a part has none. */
export const exampleOf = (schema: Schema, named: NamedSchemas): unknown => {
  const { examples, items, properties, required = [], default: usual, enum: choices } = resolve(schema, named);
  if (examples) return examples[0];
  if (items) {
    const item = exampleOf(items, named);
    return item === undefined ? undefined : [item];
  }
  if (!properties) return usual || choices?.[0];
  const parts = Object.entries(properties).map(([name, part]) => [name, exampleOf(part, named)] as const);
  const isWhole = parts.every(([name, example]) => example !== undefined || !required.includes(name));
  return isWhole ? Object.fromEntries(parts) : undefined;
};
