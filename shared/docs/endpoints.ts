import type { Media, OpenApi, Operation, Parameter, Ref, Response } from './document.ts';
import { nameOf } from './schemas.ts';

/** An operation of the description with its references followed: all that a page shows of it. */
export interface Endpoint {
  readonly method: string;
  /** Below the server's address. */
  readonly path: string;
  readonly operation: Operation;
  readonly scope: string;
  readonly parameters: readonly Parameter[];
  readonly body: Media | undefined;
  readonly successes: readonly { readonly status: string; readonly response: Response }[];
  readonly refusals: readonly { readonly status: string; readonly codes: readonly string[] }[];
}

export const endpointsOf = ({ paths, components }: OpenApi): Endpoint[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => endpointOf(method, path, operation, components)),
  );

const endpointOf = (
  method: string,
  path: string,
  operation: Operation,
  { parameters, responses }: OpenApi['components'],
): Endpoint => {
  const answers = Object.entries(operation.responses);
  return {
    method: method.toUpperCase(),
    path,
    operation,
    scope: Object.values(operation.security[0] ?? {}).join(),
    parameters: operation.parameters.flatMap((parameter) => follow(parameter, parameters) ?? []),
    body: operation.requestBody?.content['application/json'],
    successes: answers.flatMap(([status, response]) => (isRef(response) ? [] : { status, response })),
    refusals: answers.flatMap(([status, response]) =>
      isRef(response) ? { status, codes: codesOf(follow(response, responses)) } : [],
    ),
  };
};

const isRef = (part: object): part is Ref => '$ref' in part;

const follow = <T extends object>(part: T | Ref, among: Readonly<Record<string, T>>): T | undefined =>
  isRef(part) ? among[nameOf(part.$ref)] : part;

const codesOf = (response: Response | undefined): string[] =>
  Object.keys(response?.content?.['application/json'].examples ?? {});
