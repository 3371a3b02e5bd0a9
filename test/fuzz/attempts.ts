import * as fc from 'fast-check';
import { type Endpoint, endpointsOf } from '../../shared/docs/endpoints.ts';
import { inUrl, nearly, text } from '../hostile-values.ts';
import { documents } from '../openapi-check.ts';
import { fieldsOf, withOneHostileField } from './hostile-bodies.ts';

// Requests to the described endpoints, most of them valid but for one part.

const whole = [
  documents['/api/v1/openapi-full.json'],
  documents['/v1/openapi.json'],
  documents['/admin/v1/openapi.json'],
];

/** They would end the sessions and tokens that the tests call with, or start work without end. */
const isTried = ({ path }: Endpoint): boolean => !/sign-out|chaos/.test(path);

export const endpoints = whole.flatMap((document) =>
  endpointsOf(document)
    .filter(isTried)
    .map((endpoint) => ({
      ...endpoint,
      template: `${endpoint.server}${endpoint.path}`,
      named: document.components.schemas,
    })),
);

export type TriedEndpoint = (typeof endpoints)[number];

export const hasEndpoint = (method: string, template: string): boolean =>
  endpoints.some((each) => each.method === method && each.template === template);

/** Valid bodies beside the description's examples. */
const moreBodies: Readonly<Record<string, readonly object[]>> = {
  sendMessage: [
    { channel: 'sms', to: '+8801712345678', text: 'Your code is 1234.' },
    {
      ...{ channel: 'email', to: 'ada@example.com', subject: 'Later', html: '<p>It works.</p>' },
      sendAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  ],
};

export interface Attempt {
  /** Where a value is undefined, the id of a thing that exists. */
  readonly inPath: Readonly<Record<string, string | undefined>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

const bodiesOf = ({ body, named, operation }: TriedEndpoint): fc.Arbitrary<Attempt['body']> => {
  if (!body) return fc.constant(undefined);
  const bases = [body.example, ...(moreBodies[operation.operationId] ?? [])];
  return fc.oneof(
    { weight: 4, arbitrary: withOneHostileField(bases, fieldsOf(body.schema, named), named) },
    { weight: 1, arbitrary: nearly(body.schema, named).map((value) => JSON.stringify(value)) },
  );
};

/** Everything else ends a connection before a server reads it. */
const inHeader = text.map((value) => value.slice(0, 1_000).replace(/[^\t\x20-\x7e\x80-\xff]/g, '?'));

export const attemptsAt = (endpoint: TriedEndpoint): fc.Arbitrary<Attempt> => {
  const { parameters, named } = endpoint;
  /** Of ten values, so many are left to the test. */
  const parts = (place: string, left: number) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((each) => each.in === place)
          .map(({ name, schema }) => [
            name,
            fc.oneof(
              { weight: left, arbitrary: fc.constant(undefined) },
              { weight: 10 - left, arbitrary: place === 'header' ? inHeader : inUrl(schema, named) },
            ),
          ]),
      ),
    );
  return fc.record({
    inPath: parts('path', 9),
    query: parts('query', 8).map((query) =>
      given(query)
        .map((pair) => pair.join('='))
        .join('&'),
    ),
    headers: parts('header', 8).map((headers) => Object.fromEntries(given(headers))),
    body: bodiesOf(endpoint),
  });
};

const given = (values: Readonly<Record<string, string | undefined>>): readonly [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]));

/** What ends things, or may freeze an account, gets things of its own. */
export const endsIt = ({ method, path }: Endpoint): boolean =>
  method === 'DELETE' || /^\/accounts\/\{id\}$|expire/.test(path);
