import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = (response: ServerResponse, request: Received) => unknown;

interface Wishes {
  readonly host?: string;
  readonly port?: number;
  /** Set to use TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A customer's web server that records its requests. By default it answers 200 `ok`. */
export const startReceiver = async (
  reply: Reply = (response) => response.end('ok'),
  { host = '127.0.0.1', port = 0, tls }: Wishes = {},
) => {
  const received: Received[] = [];
  let [connections, resumed] = [0, 0];
  const listener: RequestListener = async (message, response) => {
    const { method, url, headers } = message;
    const request = { method, url, headers, body: await text(message) };
    received.push(request);
    reply(response, request);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.isSessionReused()) resumed += 1;
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    received,
    connections: () => connections,
    /** Those that continued a TLS session. */
    resumed: () => resumed,
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
