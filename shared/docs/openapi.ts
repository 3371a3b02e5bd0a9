import { STATUS_CODES } from 'node:http';
import type { Contract } from '../http/contract.ts';
import { type FaultCode, faultCodes } from '../kit/fault.ts';
import { exampleId } from '../kit/id.ts';
import { type Api, type ApiName, refusalsOf } from './apis.ts';
import type { Content, OpenApi, Operation, Parameter, Schema } from './document.ts';
import { headers, idempotencyKey, refer } from './headers.ts';
import { refusalExamples, refusalOf, refusalResponses, responsesOf } from './refusals.ts';
import { exampleOf, openSchemas, type Schemas } from './schemas.ts';

/** A row of the route table, with its contract. */
export interface DescribedRoute {
  readonly api: ApiName;
  readonly method: string;
  /** `/api/v1/messages/{id}`. */
  readonly path: string;
  /** The folder of the function: `messages/get-message`. */
  readonly does: string;
  /** The scope that its keys need, where keys have scopes. */
  readonly scope?: string;
  readonly contract: Contract;
}

/** The machine-readable description of an API's endpoints, generated from the contracts that their functions run. */
export const openApiOf = (api: Api, routes: readonly DescribedRoute[]): OpenApi => {
  const schemas = openSchemas();
  const codes = codesOf(api, routes);
  // The responses of refusals refer to it by its name.
  schemas.given(refusalOf(codes));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.slice(api.server.length);
    const operation = { operationId: operationIdOf(route, routes), ...operationOf(api, route, schemas) };
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.1',
    info: { title: api.title, version: '1', description: api.about.join('\n\n') },
    servers: [{ url: api.server }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.named,
      parameters: { [idempotencyKey.name]: idempotencyKey },
      headers,
      responses: refusalResponses(
        routes.map(({ contract }) => refusalsOf(api, contract)),
        api.headers,
      ),
      examples: refusalExamples(codes),
      securitySchemes: api.securitySchemes,
    },
  };
};

/** The codes of the endpoints, and `not_found` for unknown paths and methods. */
const codesOf = (api: Api, routes: readonly DescribedRoute[]): FaultCode[] => {
  const possible = new Set([...routes.flatMap(({ contract }) => refusalsOf(api, contract)), 'not_found']);
  return faultCodes.filter((code) => possible.has(code));
};

const operationOf = (api: Api, route: DescribedRoute, schemas: Schemas): Omit<Operation, 'operationId'> => {
  const { contract, scope } = route;
  return {
    tags: [tagOf(route)],
    summary: contract.summary,
    description: contract.description,
    security: Object.keys(api.securitySchemes).map((name) => ({ [name]: scope ? [scope] : [] })),
    parameters: [
      ...parametersOf('path', schemas.taken(contract.path)),
      ...parametersOf('query', schemas.taken(contract.query)),
      ...(contract.isReplayable ? [{ $ref: `#/components/parameters/${idempotencyKey.name}` }] : []),
    ],
    requestBody: contract.body && { required: true, content: json(schemas.taken(contract.body), contract.example) },
    responses: {
      [contract.status]: {
        description: STATUS_CODES[contract.status] ?? '',
        headers: refer([...api.headers, ...(contract.isReplayable ? (['Idempotent-Replay'] as const) : [])]),
        content: contentOf(contract, schemas),
      },
      ...responsesOf(refusalsOf(api, contract)),
    },
  };
};

const tagOf = ({ does }: DescribedRoute): string => does.charAt(0).toUpperCase() + does.slice(1, does.indexOf('/'));

/** The name of the row's function, with a number from its second row on. */
const operationIdOf = (route: DescribedRoute, among: readonly DescribedRoute[]): string => {
  const { does } = route;
  const earlier = among.filter((each) => each.does === does).indexOf(route);
  const name = does.slice(does.indexOf('/') + 1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return earlier === 0 ? name : `${name}${earlier + 1}`;
};

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
