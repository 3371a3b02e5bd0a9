import { InternalError } from '../../kit/internal-error.ts';
import type { SecurityScheme } from '../document.ts';
import type { Endpoint } from '../endpoints.ts';

/** A request as documentation shows it. */
export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The response has a body. */
  readonly hasReply: boolean;
}

/** Stands for the API's own host in every sample; pages replace it with theirs. */
export const exampleHost = 'https://api.example.com';

/** Stand for the reader's keys in every sample; pages replace them where a person is signed in. */
export const exampleKeys = {
  '/api/v1': 'mk_your_key',
  '/v1': 'sk_test_your_key',
  '/admin/v1': 'ot_your_token',
} as const;

const exampleKey = (server: string): string =>
  Object.entries(exampleKeys).find(([prefix]) => prefix === server)?.[1] ?? '';

const keyHeader = ({ name, scheme }: SecurityScheme, key: string): Record<string, string> =>
  name ? { [name]: key } : { Authorization: `${scheme === 'bearer' ? 'Bearer' : scheme} ${key}` };

/** The example request of an endpoint, as its contract has it. */
export const callOf = ({ method, server, path, key, parameters, body, successes }: Endpoint): Call => ({
  method,
  url:
    exampleHost +
    server +
    path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(parameters.find((parameter) => parameter.name === name)?.example)),
    ),
  headers: {
    ...(key && keyHeader(key, exampleKey(server))),
    ...(body && { 'Content-Type': 'application/json' }),
  },
  body: body && (body.example ?? {}),
  hasReply: successes.some(({ response }) => response.content),
});

/**
 * A request that a guide writes as HTTP: the method and path, headers, an empty line, and a JSON body. The key and the content type follow
 * from the path and the body.
 */
export const parseCall = (text: string): Call => {
  const [head = '', json] = text.trim().split(/\n\s*\n/);
  const [line = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = line.split(' ');
  const server = Object.keys(exampleKeys).find((prefix) => path.startsWith(`${prefix}/`));
  if (!server) throw new InternalError('A sample calls no API', { line });
  const isKeyed = !path.startsWith('/v1/public/');
  const key = exampleKey(server);
  const own = lines.map(
    (each) => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1).trim()] as const,
  );
  return {
    method,
    url: exampleHost + path,
    headers: {
      ...(isKeyed && (server === '/api/v1' ? { 'X-API-Key': key } : { Authorization: `Bearer ${key}` })),
      ...(json && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(own),
    },
    body: json && JSON.parse(json),
    hasReply: method !== 'DELETE',
  };
};
