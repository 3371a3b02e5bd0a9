import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { bodyFields } from './http-api-body.ts';
import { account } from './local-region.ts';
import { decoded, type RouteMatch } from './route-match.ts';

interface ReceivedRequest {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly receivedAtMs: number;
  readonly body: Buffer;
  readonly match: RouteMatch;
}

/** Path and query as the client wrote them. */
export const targetOf = ({ url = '' }: IncomingMessage): { readonly path: string; readonly query: string } => {
  const [path = '', ...query] = url.split('?');
  return { path, query: query.join('?') };
};

/** The event for a route's function, in payload format 2.0. */
export const eventOf = ({ request, requestId, receivedAtMs, body, match }: ReceivedRequest): APIGatewayProxyEventV2 => {
  const { route, pathParameters } = match;
  const { path, query } = targetOf(request);
  // An HTTP API decodes `rawPath` in spite of its name; only the query stays raw.
  const rawPath = decoded(path);
  const sourceIp = request.socket.remoteAddress ?? '';
  const headers = headersOf(request, sourceIp);
  const cookies = request.headersDistinct['cookie'];
  const domainName = (headers['host'] ?? 'localhost').replace(/:\d+$/, '');
  return {
    version: '2.0',
    routeKey: route.key,
    rawPath,
    rawQueryString: query,
    ...(cookies && { cookies: cookies.flatMap((line) => line.split(/;\s*/)) }),
    headers,
    ...(query !== '' && { queryStringParameters: queryOf(query) }),
    ...(Object.keys(pathParameters).length > 0 && { pathParameters }),
    requestContext: {
      accountId: account,
      apiId: 'local',
      domainName,
      domainPrefix: domainName.replace(/\..*/, ''),
      http: {
        method: request.method ?? '',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: route.key,
      stage: '$default',
      time: commonLogTime(receivedAtMs),
      timeEpoch: receivedAtMs,
    },
    ...bodyFields(body, headers['content-type']),
  };
};

/** Cookies have a field of their own. */
const headersOf = ({ headersDistinct, socket }: IncomingMessage, sourceIp: string): Record<string, string> => {
  const { cookie: _, ...sent } = headersDistinct;
  const added = {
    'x-forwarded-for': [...(sent['x-forwarded-for'] ?? []), sourceIp],
    'x-forwarded-port': [String(socket.localPort)],
    'x-forwarded-proto': ['http'],
  };
  return Object.fromEntries(
    Object.entries({ ...sent, ...added }).map(([name, values]) => [name, values?.join(',') ?? '']),
  );
};

const queryOf = (query: string): Record<string, string> => {
  const sent = new URLSearchParams(query);
  return Object.fromEntries([...new Set(sent.keys())].map((name) => [name, sent.getAll(name).join(',')]));
};

/** As in `12/Mar/2020:19:03:58 +0000`. */
const commonLogTime = (atMs: number): string =>
  new Date(atMs).toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000');
