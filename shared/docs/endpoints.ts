import type { Media, OpenApi, Operation, Parameter, Ref, Response, SecurityScheme } from './document.ts';
import { nameOf } from './schemas.ts';

/** An operation of the description with its references resolved, as a page shows it. */
export interface Endpoint {
  readonly method: string;
  /** The prefix of all paths of its API. */
  readonly server: string;
  /** Below the server's address. */
  readonly path: string;
  readonly operation: Operation;
  /** The first way to send the key; undefined when none is required. */
  readonly key: SecurityScheme | undefined;
  /** The scope that the key needs; empty where keys have no scopes. */
  readonly scope: string;
  readonly parameters: readonly Parameter[];
  readonly body: Media | undefined;
  readonly successes: readonly { readonly status: string; readonly response: Response }[];
  /** `reasons`: a paragraph for each code. */
  readonly refusals: readonly {
    readonly status: string;
    readonly codes: readonly string[];
    readonly reasons: string;
  }[];
}

export const endpointsOf = ({ servers, paths, components }: OpenApi): Endpoint[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      server: servers[0]?.url ?? '',
      path,
      ...partsOf(operation, components),
    })),
  );

const partsOf = (
  operation: Operation,
  { parameters, responses, securitySchemes }: OpenApi['components'],
): Omit<Endpoint, 'method' | 'server' | 'path'> => {
  const answers = Object.entries(operation.responses);
  const [[scheme, scopes] = ['', []]] = Object.entries(operation.security[0] ?? {});
  return {
    operation,
    key: securitySchemes[scheme],
    scope: scopes.join(),
    parameters: operation.parameters.flatMap((parameter) => follow(parameter, parameters) ?? []),
    body: operation.requestBody?.content['application/json'],
    successes: answers.flatMap(([status, response]) => (isRef(response) ? [] : { status, response })),
    refusals: answers.flatMap(([status, response]) => {
      if (!isRef(response)) return [];
      const refusal = follow(response, responses);
      return { status, codes: codesOf(refusal), reasons: response.description ?? refusal?.description ?? '' };
    }),
  };
};

const isRef = (part: object): part is Ref => '$ref' in part;

const follow = <T extends object>(part: T | Ref, among: Readonly<Record<string, T>>): T | undefined =>
  isRef(part) ? among[nameOf(part.$ref)] : part;

const codesOf = (response: Response | undefined): string[] =>
  Object.keys(response?.content?.['application/json'].examples ?? {});
