import { STATUS_CODES } from 'node:http';
import { basename } from 'node:path';
import type { Contract } from '../http/contract.ts';
import { type FaultCode, faultCodes } from '../kit/fault.ts';
import { exampleId } from '../kit/id.ts';
import { type Api, type ApiName, apis, refusalsOf } from './apis.ts';
import { type Delivery, deliveriesTag, deliveryOperation } from './deliveries.ts';
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

/** What a description is about. */
type About = Pick<Api, 'title' | 'server' | 'about'>;

/** The machine-readable description of endpoints, generated from the contracts that their functions run, and of deliveries. They may belong to several APIs. */
export const openApiOf = (
  { title, server, about }: About,
  routes: readonly DescribedRoute[],
  deliveries: readonly Delivery[] = [],
): OpenApi => {
  const schemas = openSchemas();
  const used = [...Map.groupBy(routes, ({ api }) => api)].map(([name, rows]) => ({
    api: apis[name] as Api,
    refusals: rows.map(({ contract }) => refusalsOf(apis[name], contract)),
  }));
  // The responses of refusals refer to their schemas by name.
  for (const [, alike] of Map.groupBy(used, ({ api }) => api.refusesInOlderShape)) {
    const [first] = alike;
    if (first) schemas.given(refusalOf(codesOf(alike.flatMap(({ refusals }) => refusals)), first.api));
  }
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.slice(server.length);
    const operation = { operationId: operationIdOf(route, routes), ...operationOf(route, schemas) };
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  const merged = <T>(partsOf: (one: (typeof used)[number]) => Readonly<Record<string, T>>): Record<string, T> =>
    Object.assign({}, ...used.map(partsOf));
  return {
    openapi: '3.1.1',
    info: { title, version: '1', description: about.join('\n\n') },
    servers: [{ url: server }],
    tags: [...new Set([...routes.map(tagOf), ...deliveries.map(() => deliveriesTag)])].map((name) => ({ name })),
    paths,
    ...(deliveries.length > 0 && {
      webhooks: Object.fromEntries(deliveries.map((each) => [each.event, { post: deliveryOperation(each, schemas) }])),
    }),
    components: {
      schemas: schemas.named,
      parameters: { [idempotencyKey.name]: idempotencyKey },
      headers,
      responses: merged(({ api, refusals }) =>
        Object.assign({}, ...refusals.map((codes) => refusalResponses(codes, api))),
      ),
      examples: merged(({ api, refusals }) => refusalExamples(codesOf(refusals), api)),
      securitySchemes: merged(({ api }) => api.securitySchemes),
    },
  };
};

/** These codes, and `not_found` for unknown paths and methods. */
const codesOf = (refusals: readonly (readonly FaultCode[])[]): FaultCode[] => {
  const possible = new Set([...refusals.flat(), 'not_found']);
  return faultCodes.filter((code) => possible.has(code));
};

const operationOf = (route: DescribedRoute, schemas: Schemas): Omit<Operation, 'operationId'> => {
  const { contract, scope } = route;
  const api: Api = apis[route.api];
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
      ...responsesOf(refusalsOf(api, contract), api, contract.refusesWhen),
    },
  };
};

const tagOf = ({ does }: DescribedRoute): string => does.charAt(0).toUpperCase() + does.slice(1, does.indexOf('/'));

/** The name of the row's function, with a number from its second occurrence on. */
const operationIdOf = (route: DescribedRoute, among: readonly DescribedRoute[]): string => {
  const name = basename(route.does);
  const earlier = among.filter(({ does }) => basename(does) === name).indexOf(route);
  return camelCase(earlier === 0 ? name : `${name}${earlier + 1}`);
};

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const parametersOf = (place: 'path' | 'query', { properties = {}, required = [] }: Schema): Parameter[] =>
  Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema,
    example: exampleOf({ ...schema, examples }, {}) ?? (place === 'path' ? exampleId : undefined),
  }));

const contentOf = ({ reply, beside, replyExample }: Contract, schemas: Schemas): Content | undefined => {
  if (!reply) return undefined;
  const { properties, required = [] } = beside ? schemas.given(beside) : {};
  const schema: Schema = {
    type: 'object',
    properties: { data: schemas.given(reply), ...properties },
    required: ['data', ...required],
  };
  if (replyExample === undefined) return json(schema, exampleOf(schema, schemas.named));
  return json(schema, { data: replyExample });
};

const json = (schema: Schema, example: unknown): Content => ({ 'application/json': { schema, example } });
