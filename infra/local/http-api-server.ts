import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as z from 'zod';
import { declaresTooMuch } from './http-api-body.ts';
import { StartFailure } from './start-failure.ts';

interface LocalhostServer {
  readonly url: string;
  /** Resolves within a second. */
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** How long running requests may take to end after `close`. */
const closeGraceMs = 500;

/**
 * Listens on 127.0.0.1, and on ::1 where the machine has it, because `localhost` may mean either.
 * @throws StartFailure when the port is taken
 */
export const listenOnLocalhost = async (
  port: number,
  handle: Handler,
  mostBodyBytes: number,
): Promise<LocalhostServer> => {
  const [ipv4, ipv6] = [serverOf(handle, mostBodyBytes), serverOf(handle, mostBodyBytes)];
  const close = async (): Promise<void> => {
    const open = [ipv4, ipv6].filter(({ listening }) => listening);
    const closed = open.map((server) => once(server.close(), 'close'));
    const timer = setTimeout(() => {
      for (const server of open) server.closeAllConnections();
    }, closeGraceMs);
    await Promise.all(closed);
    clearTimeout(timer);
  };

  await listen(ipv4, port, '127.0.0.1');
  const { port: boundPort } = z.object({ port: z.number() }).parse(ipv4.address());
  try {
    await listen(ipv6, boundPort, '::1');
  } catch (error) {
    await close();
    // Of the ports that are free on 127.0.0.1, any will do, and this one is taken on ::1.
    if (port === 0 && error instanceof StartFailure) return listenOnLocalhost(port, handle, mostBodyBytes);
    throw error;
  }
  return { url: `http://localhost:${boundPort}`, close };
};

/** @throws StartFailure when the port is taken */
export const requireFreePort = async (port: number): Promise<void> =>
  (await listenOnLocalhost(port, () => undefined, 0)).close();

const serverOf = (handle: Handler, mostBodyBytes: number): Server =>
  createServer({ keepAliveTimeout: 75_000, maxHeaderSize: 10_240 }, handle).on('checkContinue', (request, response) => {
    if (!declaresTooMuch(request, mostBodyBytes)) response.writeContinue();
    handle(request, response);
  });

const noSuchAddress = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

const listen = async (server: Server, port: number, host: string): Promise<void> => {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const refusal = portRefusals[code];
    if (refusal) throw new StartFailure(refusal(port));
    if (!noSuchAddress.includes(code)) throw error;
  }
};

const portRefusals: Readonly<Record<string, (port: number) => string>> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use. Stop the process that uses it, or choose another port: npm start -- --port ${port === 65_535 ? 3_000 : port + 1}`,
  EACCES: (port) => `Port ${port} is for other users. Choose another port: npm start -- --port 3000`,
};
