import * as z from 'zod';

// The part of OpenAPI 3.1 that the description may use. Strict, because a misspelt keyword would be ignored.

const text = z.string().min(1);
const anything = z.unknown();
const mapOf = <T extends z.ZodType>(value: T, key: RegExp = /^[\w.-]+$/) => z.record(z.string().regex(key), value);
/** A reference may describe what it refers to by words of its own. */
const refTo = (part: string) =>
  z.strictObject({ $ref: z.string().startsWith(`#/components/${part}/`), description: z.string().optional() });

/** Special groups, and classes and escapes that differ between regex engines. */
const engineSpecific = /\(\?|\\[^.+rntx\\\]]|[^\x20-\x7e]|&&|\[\[/;

/** What is wrong with a pattern that engines read differently. */
export const dialectal = 'is not read alike by ECMA-262, RE2, Java and Python';

const typeName = z.enum(['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']);
const count = z.int().min(0);
const schema: z.ZodType = z.lazy(() =>
  z.strictObject({
    $ref: refTo('schemas').shape.$ref.optional(),
    type: z.union([typeName, z.array(typeName).min(2)]).optional(),
    description: text.optional(),
    format: z.enum(['date-time', 'idn-email', 'email']).optional(),
    contentEncoding: z.literal('base64').optional(),
    enum: z.array(anything).min(1).optional(),
    const: anything.optional(),
    default: anything.optional(),
    examples: z.array(anything).min(1).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: count.optional(),
    maxLength: count.optional(),
    pattern: z
      .string()
      .refine((pattern) => new RegExp(pattern, 'u'))
      .refine((pattern) => !engineSpecific.test(pattern), dialectal)
      .optional(),
    minItems: count.optional(),
    maxItems: count.optional(),
    items: schema.optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
    propertyNames: schema.optional(),
    allOf: z.array(schema).min(1).optional(),
    anyOf: z.array(schema).min(1).optional(),
    not: schema.optional(),
  }),
);

const example = z.strictObject({ value: anything });
const header = z.strictObject({ description: text, schema });
const content = z.strictObject({
  'application/json': z.strictObject({
    schema,
    example: anything.optional(),
    examples: mapOf(z.union([example, refTo('examples')])).optional(),
  }),
});
const parameter = z
  .strictObject({
    name: text,
    in: z.enum(['path', 'query', 'header']),
    required: z.boolean(),
    description: text.optional(),
    schema,
    example: anything.optional(),
  })
  .refine((each) => each.in !== 'path' || each.required, 'a path parameter is required');
const response = z.strictObject({
  description: text,
  headers: mapOf(z.union([header, refTo('headers')])).optional(),
  content: content.optional(),
});
const operation = z.strictObject({
  operationId: text,
  tags: z.array(text).length(1),
  summary: text,
  description: text.optional(),
  security: z.array(mapOf(z.array(text))),
  parameters: z.array(z.union([parameter, refTo('parameters')])),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: mapOf(z.union([response, refTo('responses')]), /^[2-5](\d\d|XX)$/),
});
const securityScheme = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('apiKey'),
    in: z.enum(['header', 'cookie']),
    name: text,
    description: text.optional(),
  }),
  z.strictObject({ type: z.literal('http'), scheme: text, description: text.optional() }),
]);

/** The structure that the OpenAPI specification requires. */
export const openApiStructure = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d$/),
  info: z.strictObject({ title: text, version: text, description: text.optional() }),
  servers: z.array(z.strictObject({ url: text })).min(1),
  tags: z.array(z.strictObject({ name: text, description: text.optional() })),
  paths: mapOf(z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation), /^\//),
  webhooks: mapOf(z.strictObject({ post: operation })).optional(),
  components: z.strictObject({
    schemas: mapOf(schema),
    parameters: mapOf(parameter),
    headers: mapOf(header),
    responses: mapOf(response),
    examples: mapOf(example),
    securitySchemes: mapOf(securityScheme),
  }),
});
