import { once } from 'node:events';
import type { Server } from 'node:http';
import * as z from 'zod';

/** Has a server listen on 127.0.0.1, at any free port by default. It rejects when the port is taken. */
export const listenLocally = async (server: Server, port = 0) => {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const bound = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${bound.port}`,
    /** Ends its connections too. */
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
