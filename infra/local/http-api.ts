import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loggedPath } from '../../shared/kit/request-line.ts';
import type { RouteSpec } from './blueprint.ts';
import type { Functions } from './functions.ts';
import { type Answer, answerOf, refusal } from './http-api-answer.ts';
import { apiGatewayBodyBytes, discardRest, readBody } from './http-api-body.ts';
import { eventOf, targetOf } from './http-api-event.ts';
import { listenOnLocalhost } from './http-api-server.ts';
import { createRouter } from './route-match.ts';
import { routeThrottle } from './route-throttle.ts';

export interface HttpApi {
  readonly url: string;
  /** Later requests use these routes. */
  setRoutes(routes: readonly RouteSpec[]): void;
  /** Resolves within a second; requests that still run then lose their connection. */
  close(): Promise<void>;
}

export interface HttpApiOptions {
  /** 0 means any free port. */
  readonly port: number;
  readonly routes: readonly RouteSpec[];
  readonly invoke: Functions['invoke'];
  readonly integrationTimeoutMs?: number;
  /** API Gateway's 10 MB by default. */
  readonly mostBodyBytes?: number;
  /** Called after each answer. */
  readonly onAnswered?: (answered: Answered) => void;
}

/** An answered request. Its path shows no tokens. */
export interface Answered {
  readonly requestId: string;
  /** Undefined: no route leads to a function. */
  readonly functionName: string | undefined;
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

/**
 * An API Gateway HTTP API on this machine, with payload format 2.0.
 * @throws StartFailure when the port is taken
 */
export const startHttpApi = async ({
  port,
  routes,
  invoke,
  integrationTimeoutMs = 30_000,
  mostBodyBytes = apiGatewayBodyBytes,
  onAnswered = () => undefined,
}: HttpApiOptions): Promise<HttpApi> => {
  let router = createRouter(routes);
  const passes = routeThrottle();

  const answer = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
    const receivedAtMs = Date.now();
    const match = router(request.method ?? '', targetOf(request).path);
    if (!match) return refusal(404);
    if (!passes(match.route, receivedAtMs)) return refusal(429);
    const body = await readBody(request, mostBodyBytes);
    if (!body) return refusal(413);
    const event = eventOf({ request, requestId, receivedAtMs, body, match });
    const invocation = await within(integrationTimeoutMs, () =>
      invoke(match.route.functionName, event, { deadlineMs: integrationTimeoutMs }),
    );
    if (invocation?.ok) return answerOf(invocation.payload) ?? refusal(500);
    // The wait for an instance may end a moment before the HTTP API's own.
    return refusal(!invocation || invocation.reason === 'noInstance' ? 503 : 500);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    const [at, beganMs] = [new Date().toISOString(), performance.now()];
    try {
      await send(request, response, await answer(request, requestId), requestId);
    } catch {
      // Either the client disconnected, or the function's headers cannot be written.
      if (!response.destroyed) await send(request, response, refusal(500), requestId);
    }
    // The client disconnected in the middle of its body.
    if (!response.headersSent) return;
    const durationMs = Math.round(performance.now() - beganMs);
    onAnswered({ requestId, at, ...shownOf(request), status: response.statusCode, durationMs });
  };

  const shownOf = (request: IncomingMessage) => {
    const { method = '' } = request;
    const { path } = targetOf(request);
    const match = router(method, path);
    if (!match || match.route.key === '$default') return { functionName: match?.route.functionName, method, path };
    const { route, pathParameters } = match;
    return { functionName: route.functionName, method, path: loggedPath({ routeKey: route.key, pathParameters }) };
  };

  const server = await listenOnLocalhost(port, handle, mostBodyBytes);
  return {
    url: server.url,
    setRoutes: (next) => {
      router = createRouter(next);
    },
    close: server.close,
  };
};

/** Undefined when the time is over first. */
const within = async <T>(limitMs: number, work: () => Promise<T>): Promise<T | undefined> => {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, limitMs, undefined);
  try {
    return await Promise.race([work(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
  requestId: string,
): Promise<void> => {
  const isBodiless = status === 204 || status === 304;
  response.writeHead(status, {
    // Node would write the machine's time.
    date: new Date().toUTCString(),
    ...headers,
    'apigw-requestid': requestId,
    ...(!isBodiless && { 'content-length': body.length }),
  });
  response.write(body);
  if (headers['connection'] === 'close') await discardRest(request);
  response.end();
};
