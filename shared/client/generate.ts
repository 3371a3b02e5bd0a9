import type { OpenApi, Operation, Parameter, Ref, Schema } from '../docs/document.ts';
import { nameOf } from '../docs/schemas.ts';

/** The TypeScript source of an API's types: its objects, `Operations`, `Events`, and the operations that take an Idempotency-Key. */
export const sourceOf = (document: OpenApi): string => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
  );
  const events = Object.entries(document.webhooks ?? {}).map(([event, { post }]) => ({
    name: event,
    schema: post.requestBody?.content['application/json'].schema ?? {},
  }));
  const replayable = operations.filter(({ operation }) => operation.parameters.some(isIdempotencyKey));
  return [
    '// Generated from the API’s description by generate.ts. Do not edit.',
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};`,
    ),
    `export interface Operations {\n${operations
      .map(({ key, operation }) => `${comment(operation.summary)}'${key}': ${operationType(operation)};`)
      .join('\n')}\n}`,
    `export interface Events {\n${events.map(({ name, schema }) => `'${name}': ${typeOf(schema)};`).join('\n')}\n}`,
    `/** Retries of these have no second effect, because they take an Idempotency-Key. */
export const replayable: ReadonlySet<string> = new Set([${replayable.map(({ key }) => `'${key}'`).join(', ')}]);`,
    '',
  ].join('\n\n');
};

const isRef = (part: object): part is Ref => '$ref' in part;
const isIdempotencyKey = (parameter: Parameter | Ref): boolean =>
  isRef(parameter) && nameOf(parameter.$ref) === 'Idempotency-Key';

const comment = (text: string | undefined): string => (text ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '');

const operationType = ({ parameters, requestBody, responses }: Operation): string => {
  const own = parameters.filter((each): each is Parameter => !isRef(each));
  const body = requestBody?.content['application/json'].schema;
  const parts = [
    ...(['path', 'query'] as const).map((place) =>
      member(
        place,
        own.filter((each) => each.in === place),
      ),
    ),
    body ? `body: ${typeOf(body)};` : '',
  ];
  return `{ request: { ${parts.join(' ')} }; reply: ${replyType(responses)} }`;
};

const member = (place: 'path' | 'query', parameters: readonly Parameter[]): string => {
  if (parameters.length === 0) return '';
  const fields = parameters.map(
    ({ name, required, schema }) => `${keyOf(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `${place}${parameters.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} };`;
};

const replyType = (responses: Operation['responses']): string => {
  const success = Object.values(responses).find((each) => !isRef(each));
  const content = success && !isRef(success) ? success.content : undefined;
  return content ? typeOf(content['application/json'].schema) : 'undefined';
};

const keyOf = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`);

/** The type of a schema's values. */
const typeOf = (schema: Schema): string => {
  const { $ref, allOf, anyOf, properties, items, type, additionalProperties } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  if (type === 'null') return 'null';
  // What stands beside the fields are rules between them, which the service checks.
  if (properties) return objectType(properties, schema.required ?? []);
  if (anyOf) return anyOf.map((part) => `(${typeOf(part)})`).join(' | ');
  if (allOf) return allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  if (type === 'array') return `(${typeOf(items ?? {})})[]`;
  if (type === 'object') {
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
  }
  return primitives[String(type)] ?? 'unknown';
};

const literal = (value: unknown): string => JSON.stringify(value);

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

const objectType = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): string =>
  `{ ${Object.entries(properties)
    .map(([name, part]) => `${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(part)}`)
    .join('; ')} }`;
