import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { complain, reasonOf } from '../complaints.ts';
import { isFromOtherSite } from './other-site.ts';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An iterable is streamed, for answers too large for one string. */
  readonly body?: string | Uint8Array | Iterable<string>;
}

export interface Request {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  body(): Promise<string>;
}

/** By method and path, `GET /mails/{id}`. The decoded values of the `{…}` parts follow the request as arguments. */
export type Routes = Readonly<Record<string, (request: Request, ...parts: string[]) => Reply | Promise<Reply>>>;

const standardHeaders = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

const nothingHere: Reply = { status: 404, body: 'Nothing is here.' };
const refused: Reply = { status: 403, body: 'This is for this machine alone: open it as localhost.' };

export const jsonReply = (status: number, body: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Serves the routes on `localhost` at the first of these ports that is free, or at any free one; 0 is any. */
export async function serveLocally(
  routes: Routes,
  ...ports: readonly number[]
): Promise<{ port: number; close(): Promise<void> }> {
  const servers = await listenOnFirst(listenerFor(routes), ports);
  return {
    port: portOf(servers),
    close: async () => {
      await Promise.all(servers.map(closeServer));
    },
  };
}

function listenerFor(routes: Routes): RequestListener {
  const table = Object.entries(routes).map(([route, handle]) => ({
    pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    handle,
  }));

  const answer = async (message: IncomingMessage): Promise<Reply> => {
    if (isFromOtherSite(message)) return refused;
    const { pathname, searchParams } = new URL(`http://localhost${message.url}`);
    for (const { pattern, handle } of table) {
      const match = pattern.exec(`${message.method} ${pathname}`);
      const request = { query: searchParams, headers: message.headers, body: () => text(message) };
      if (match) return handle(request, ...match.slice(1).map(decodeURIComponent));
    }
    return nothingHere;
  };

  return (message, response) => {
    answer(message)
      .catch((error: unknown): Reply => {
        if (error instanceof URIError) return nothingHere;
        if (!response.destroyed) complain(reasonOf(error), 'The emulator failed to answer.', error);
        return { status: 500, body: 'The emulator failed.' };
      })
      .then((reply) => send(reply, response))
      // The caller disconnected in the middle of the answer.
      .catch(() => response.destroy());
  };
}

async function send({ status, headers, body }: Reply, response: ServerResponse): Promise<void> {
  response.writeHead(status, { ...standardHeaders, ...headers });
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) response.end(body);
  else await pipeline(Readable.from(body), response);
}

async function listenOnFirst(listener: RequestListener, ports: readonly number[]): Promise<Server[]> {
  for (const candidate of [...ports, 0, 0]) {
    const servers = await listenOnBoth(listener, candidate).catch(() => undefined);
    if (servers) return servers;
  }
  return listenOnBoth(listener, 0);
}

/** `localhost` may mean either loopback address, so both are used; IPv6 only where the machine has it. */
async function listenOnBoth(listener: RequestListener, port: number): Promise<Server[]> {
  const first = await listen(listener, '127.0.0.1', port);
  try {
    return [first, await listen(listener, '::1', portOf([first]))];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return [first];
    await closeServer(first);
    throw error;
  }
}

async function listen(listener: RequestListener, host: string, port: number): Promise<Server> {
  const server = createServer(listener).listen(port, host);
  await once(server, 'listening');
  return server;
}

function portOf([server]: readonly Server[]): number {
  const address = server?.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
