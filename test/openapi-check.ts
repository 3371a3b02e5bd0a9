import * as z from 'zod';
import { describeRoutes } from '../infra/describe.ts';
import type { OpenApi, Response, Schema } from '../shared/docs/document.ts';
import { nameOf } from '../shared/docs/schemas.ts';

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

/** What in a value is not as a schema of the description has it. */
export const mismatches = ({ allOf = [], ...schema }: Schema, value: unknown): string[] => {
  const own = allOf.length > 0 ? schema : closed(schema);
  const defs = Object.fromEntries(Object.entries(components.schemas).map(([name, each]) => [name, closed(each)]));
  const local = JSON.parse(JSON.stringify({ ...own, $defs: defs }).replaceAll('#/components/schemas/', '#/$defs/'));
  const issues = z.fromJSONSchema(local).safeParse(value).error?.issues ?? [];
  return [
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...allOf.flatMap((part) => mismatches(part, value)),
  ];
};

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

/** The same schema without room for fields that it does not name. */
const closed = (schema: Schema): Schema => {
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each)])),
      additionalProperties: schema.additionalProperties ?? false,
    }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
  };
};
