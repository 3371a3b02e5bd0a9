import { STATUS_CODES } from 'node:http';
import type { Contract } from '../http/contract.ts';
import { exampleId } from '../kit/id.ts';
import type { Content, OpenApi, Operation, Parameter, Schema, SecurityScheme } from './document.ts';
import { headers, idempotencyKey, onKeyedAnswers, onReplayableAnswers, refer } from './headers.ts';
import { refusal, refusalExamples, refusalResponses, refusalsOf, responsesOf } from './refusals.ts';
import { exampleOf, openSchemas, type Schemas } from './schemas.ts';

/** A row of the route table, with its contract. */
export interface DescribedRoute {
  readonly method: string;
  /** Below the server's address: `/messages/{id}`. */
  readonly path: string;
  /** The folder of the function: `messages/get-message`. */
  readonly does: string;
  readonly scope: string;
  readonly contract: Contract;
}

/** The machine-readable description of these endpoints, made of what their functions run. */
export const openApiOf = (routes: readonly DescribedRoute[]): OpenApi => {
  const schemas = openSchemas();
  // The responses of refusals refer to it by its name.
  schemas.given(refusal);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Messaging Service API', version: '1', description: about.join('\n\n') },
    servers: [{ url: '/api/v1' }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.named,
      parameters: { [idempotencyKey.name]: idempotencyKey },
      headers,
      responses: refusalResponses(routes.map(({ contract }) => contract)),
      examples: refusalExamples,
      securitySchemes,
    },
  };
};

const about = [
  'Sends transactional messages by email, sms and whatsapp, and keeps the contacts and templates that they need. There is no sandbox: every request acts on the live account and spends real credit.',
  'Requests and replies are JSON with camelCase names; times are ISO 8601 in UTC. A success carries `data`, and `pagination` beside it where a list is paged; a refusal carries `error` instead. Ids are plain UUIDs, whose shape clients must not check.',
  'Branch on `error.code`: codes are only ever added. Retry 429 and 5xx with exponential backoff and jitter, writes under their original Idempotency-Key; do not retry 400, 401, 402, 403, 404 and 422 unchanged.',
  'Webhook subscriptions are managed with the same keys and are not part of this description.',
];

const securitySchemes: Readonly<Record<string, SecurityScheme>> = {
  'X-API-Key': { type: 'apiKey', in: 'header', name: 'X-API-Key', description: '`X-API-Key: mk_…`' },
  ApiKey: { type: 'http', scheme: 'ApiKey', description: '`Authorization: ApiKey mk_…`' },
  Bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer mk_…`' },
};

const operationOf = (route: DescribedRoute, schemas: Schemas): Operation => {
  const { contract, scope } = route;
  return {
    operationId: operationIdOf(route),
    tags: [tagOf(route)],
    summary: contract.summary,
    description: contract.description,
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [scope] })),
    parameters: [
      ...parametersOf('path', schemas.taken(contract.path)),
      ...parametersOf('query', schemas.taken(contract.query)),
      ...(contract.isReplayable ? [{ $ref: `#/components/parameters/${idempotencyKey.name}` }] : []),
    ],
    requestBody: contract.body && { required: true, content: json(schemas.taken(contract.body), contract.example) },
    responses: {
      [contract.status]: {
        description: STATUS_CODES[contract.status] ?? '',
        headers: refer(contract.isReplayable ? onReplayableAnswers : onKeyedAnswers),
        content: contentOf(contract, schemas),
      },
      ...responsesOf(refusalsOf(contract)),
    },
  };
};

const tagOf = ({ does }: DescribedRoute): string => does.charAt(0).toUpperCase() + does.slice(1, does.indexOf('/'));

const operationIdOf = ({ does }: DescribedRoute): string =>
  does.slice(does.indexOf('/') + 1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const parametersOf = (place: 'path' | 'query', { properties = {}, required = [] }: Schema): Parameter[] =>
  Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema,
    example: exampleOf({ ...schema, examples }, {}) ?? (place === 'path' ? exampleId : undefined),
  }));

const contentOf = ({ reply, beside }: Contract, schemas: Schemas): Content | undefined => {
  if (!reply) return undefined;
  const { properties, required = [] } = beside ? schemas.given(beside) : {};
  const schema: Schema = {
    type: 'object',
    properties: { data: schemas.given(reply), ...properties },
    required: ['data', ...required],
  };
  return json(schema, exampleOf(schema, schemas.named));
};

const json = (schema: Schema, example: unknown): Content => ({ 'application/json': { schema, example } });
