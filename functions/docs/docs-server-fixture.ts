import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { visitorOf } from './bundled-page-fixture.ts';

type Answers = Readonly<Record<string, (body: string) => unknown>>;

/** Serves the documentation from its bundle at an address of this machine, and some answers of the API beside it: by method and path. */
export const serveDocs = async (answers: Answers = {}) => {
  const visit = await visitorOf('docs/show-docs');
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const key = `${request.method} ${pathname}`;
    asked.push(key);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = answers[key]?.(Buffer.concat(chunks).toString());
    if (answer !== undefined) {
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data: answer }));
    }
    const { status, headers, text } = await visit(pathname, { 'accept-encoding': 'identity' });
    return response
      .writeHead(
        status,
        Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
      )
      .end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The requests so far. */
    asked,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
