import { describeRoutes } from '../infra/describe.ts';
import type { OpenApi, Response, Schema } from '../shared/docs/document.ts';
import { nameOf } from '../shared/docs/schemas.ts';
import { issuesOf } from './json-schema.ts';

/** The description as `GET /api/v1/openapi.json` answers it. */
export const openApi: OpenApi = JSON.parse((await describeRoutes()).openapi);

const { paths, components, servers } = openApi;
const server = servers[0]?.url ?? '';

/**
 * What in a reply is not as the description promises, in words; empty when all is. `path` is a path as it was called: with or without
 * the server's address, and with a query string or an id in it. A field that is not described counts as broken.
 */
export const replyMatches = (method: string, path: string, status: number, body: unknown): string[] => {
  const response = responseTo(method, path, status);
  if (!response) return [`${method} ${path} is not described to answer ${status}`];
  const schema = response.content?.['application/json'].schema;
  if (schema) return mismatches(schema, body);
  return body === undefined || body === '' ? [] : ['a body where none is described'];
};

/** What in a value is not as a schema of the description has it. A field that is not described counts as broken. */
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

/** True for what the description covers: webhook management, admin and pages are outside it. */
export const isDescribed = (method: string, path: string): boolean => operationAt(method, path) !== undefined;

const responseTo = (method: string, path: string, status: number): Response | undefined => {
  const response = operationAt(method, path)?.responses[status];
  return response && '$ref' in response ? components.responses[nameOf(response.$ref)] : response;
};

const covers = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path);
