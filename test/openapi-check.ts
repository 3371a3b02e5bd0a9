import type { OpenApi, Operation, Response, Schema } from '../shared/docs/document.ts';
import { nameOf } from '../shared/docs/schemas.ts';
import type { Contract } from '../shared/http/contract.ts';
import { described } from './described.ts';
import { issuesOf } from './json-schema.ts';

const read = (text: string): OpenApi => JSON.parse(text);

/** The descriptions, by the path that serves them. */
export const documents = {
  '/api/v1/openapi.json': read(described.openapi),
  '/api/v1/openapi-full.json': read(described.openapiFull),
  '/v1/openapi.json': read(described.openapiCheckout),
  '/admin/v1/openapi.json': read(described.openapiAdmin),
} as const;

/** The description of the specified part of messaging. */
export const openApi = documents['/api/v1/openapi.json'];

/** Those that cover every described endpoint. */
const whole = [
  documents['/api/v1/openapi-full.json'],
  documents['/v1/openapi.json'],
  documents['/admin/v1/openapi.json'],
];

const serverOf = ({ servers }: OpenApi): string => servers[0]?.url ?? '';

interface Described {
  readonly document: OpenApi;
  readonly operation: Operation;
}

/**
 * The reply's violations of the description, as text; empty when it conforms. `path` is the called path, which may contain a query string and
 * ids. A field without a description is a violation.
 */
export const replyMatches = (method: string, path: string, status: number, body: unknown): string[] => {
  const found = operationAt(method, path);
  return found ? violations(found, status, body) : [`${method} ${path} is not described`];
};

/** The same for the answer of a contract; empty when no document describes the contract. */
export const answerMatches = ({ summary }: Contract, status: number, body: unknown): string[] => {
  const found = bySummary.get(summary);
  return found ? violations(found, status, body) : [];
};

const violations = (found: Described, status: number, body: unknown): string[] => {
  const response = responseIn(found, status);
  if (!response) return [`${found.operation.operationId} is not described to answer ${status}`];
  const schema = response.content?.['application/json'].schema;
  if (schema) return mismatches(schema, body, found.document);
  return body === undefined || body === '' ? [] : ['a body where none is described'];
};

/** The value's violations of a schema of the description. A field without a description is a violation. */
export const mismatches = (schema: Schema, value: unknown, { components }: OpenApi = openApi): string[] =>
  issuesOf(schema, value, { named: components.schemas, isClosed: true });

/** A summary belongs to one contract. */
const bySummary = new Map<string, Described>(
  whole.flatMap((document) =>
    Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .map((operation) => [operation.summary, { document, operation }] as const),
  ),
);

const operationAt = (method: string, path: string): Described | undefined => {
  const called = path.replace(/\?.*$/s, '');
  const document = whole.find((each) => called.startsWith(`${serverOf(each)}/`));
  if (!document) return undefined;
  const below = called.slice(serverOf(document).length);
  const verb = method.toLowerCase();
  const template = Object.keys(document.paths).find((each) => document.paths[each]?.[verb] && covers(each, below));
  const operation = document.paths[below]?.[verb] ?? document.paths[template ?? '']?.[verb];
  return operation && { document, operation };
};

/** True for calls that a description covers: not pages and callbacks. */
export const isDescribed = (method: string, path: string): boolean => operationAt(method, path) !== undefined;

const responseIn = ({ document, operation }: Described, status: number): Response | undefined => {
  const response = operation.responses[status];
  return response && '$ref' in response ? document.components.responses[nameOf(response.$ref)] : response;
};

const covers = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
