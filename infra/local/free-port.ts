import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** `fetch` refuses to call port 10080 (Fetch standard, "Port blocking"), and none above it. */
const leastPort = 10_081;

/**
 * A free port of this machine, for a program that gets it before it starts. Below the ports that systems give to outgoing connections (32768 and
 * up), because such a connection could take it first.
 */
export const freePort = async (): Promise<number> => {
  const server = createServer();
  const port = randomInt(leastPort, 32_768);
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return freePort();
  }
  await once(server.close(), 'close');
  return port;
};
