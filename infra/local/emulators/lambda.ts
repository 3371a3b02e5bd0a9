import type { Functions } from '../functions.ts';
import { serveLocally } from './local-server.ts';

/** Lambda's `Invoke` on a free port, for the functions of the stack: by name or ARN, waiting for the answer. */
export const startLambda = async ({ invoke }: { readonly invoke: Functions['invoke'] }) => {
  const server = await serveLocally(
    {
      'POST /2015-03-31/functions/{name}/invocations': async (request, name) => {
        const invocation = await invoke(name.split(':').at(-1) ?? '', JSON.parse((await request.body()) || '{}'));
        const headers = { 'content-type': 'application/json' };
        if (invocation.ok) return { status: 200, headers, body: JSON.stringify(invocation.payload ?? null) };
        const { errorType, errorMessage } = invocation;
        return {
          status: 200,
          headers: { ...headers, 'x-amz-function-error': 'Unhandled' },
          body: JSON.stringify({ errorType, errorMessage }),
        };
      },
    },
    0,
  );
  return { url: `http://127.0.0.1:${server.port}`, close: server.close };
};
