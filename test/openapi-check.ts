import { describeRoutes } from '../infra/describe.ts';
import type { OpenApi, Response, Schema } from '../shared/docs/document.ts';
import { nameOf } from '../shared/docs/schemas.ts';
import { issuesOf } from './json-schema.ts';

/** The description, as from `GET /api/v1/openapi.json`. */
export const openApi: OpenApi = JSON.parse((await describeRoutes()).openapi);

const { paths, components, servers } = openApi;
const server = servers[0]?.url ?? '';

/**
 * The reply's violations of the description, as text; empty when it conforms. `path` is the called path, with or without
 * the server's address, and may contain a query string or an id. A field without a description is a violation.
 */
export const replyMatches = (method: string, path: string, status: number, body: unknown): string[] => {
  const response = responseTo(method, path, status);
  if (!response) return [`${method} ${path} is not described to answer ${status}`];
  const schema = response.content?.['application/json'].schema;
  if (schema) return mismatches(schema, body);
  return body === undefined || body === '' ? [] : ['a body where none is described'];
};

/** The value's violations of a schema of the description. A field without a description is a violation. */
export const mismatches = (schema: Schema, value: unknown): string[] =>
  issuesOf(schema, value, { named: components.schemas, isClosed: true });

const operationAt = (method: string, path: string) => {
  const called = path.replace(/\?.*$/s, '').replace(new RegExp(`^${server}(?=/)`), '');
  const verb = method.toLowerCase();
  return (
    paths[called]?.[verb] ??
    Object.entries(paths).find(([template, all]) => all[verb] && covers(template, called))?.[1][verb]
  );
};

/** True for paths that the description covers: not webhook management, admin and pages. */
export const isDescribed = (method: string, path: string): boolean => operationAt(method, path) !== undefined;

const responseTo = (method: string, path: string, status: number): Response | undefined => {
  const response = operationAt(method, path)?.responses[status];
  return response && '$ref' in response ? components.responses[nameOf(response.$ref)] : response;
};

const covers = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path);
