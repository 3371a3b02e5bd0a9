import * as z from 'zod';
import type { FunctionSpec } from '../blueprint.ts';
import type { Functions } from '../functions.ts';
import type { MappingSwitches } from '../mapping-switches.ts';
import { jsonReply, serveLocally } from './local-server.ts';

interface LambdaOptions {
  readonly invoke: Functions['invoke'];
  readonly functions: readonly FunctionSpec[];
  readonly mappings: Pick<MappingSwitches, 'of' | 'turn'>;
}

const wish = z.object({ Enabled: z.boolean() });

/**
 * A part of Lambda's API on a free port, for the functions of the stack, by name or ARN: `Invoke`, which waits for the answer, their configuration, and
 * their event source mappings of queues.
 */
export const startLambda = async ({ invoke, functions, mappings }: LambdaOptions) => {
  const server = await serveLocally(
    {
      'POST /2015-03-31/functions/{name}/invocations': async (request, name) => {
        const invocation = await invoke(name.split(':').at(-1) ?? '', JSON.parse((await request.body()) || '{}'));
        if (invocation.ok) return jsonReply(200, invocation.payload ?? null);
        const { errorType, errorMessage } = invocation;
        return jsonReply(200, { errorType, errorMessage }, { 'x-amz-function-error': 'Unhandled' });
      },
      'GET /2015-03-31/functions/{name}/configuration': (_, name) => {
        const spec = functions.find((one) => one.name === name);
        if (!spec) return jsonReply(404, { Message: `Function not found: ${name}` });
        return jsonReply(200, { FunctionName: name, Environment: { Variables: spec.environment } });
      },
      'GET /2015-03-31/event-source-mappings/': ({ query }) =>
        jsonReply(200, {
          EventSourceMappings: mappings.of(query.get('FunctionName') ?? '').map(({ spec, isEnabled }) => ({
            UUID: spec.id,
            EventSourceArn: spec.queueArn,
            State: isEnabled ? 'Enabled' : 'Disabled',
          })),
        }),
      'PUT /2015-03-31/event-source-mappings/{id}': async ({ body }, id) => {
        const { Enabled } = wish.parse(JSON.parse(await body()));
        if (!(await mappings.turn(id, Enabled))) return jsonReply(404, { Message: `No mapping has the id ${id}` });
        return jsonReply(202, { UUID: id, State: Enabled ? 'Enabled' : 'Disabled' });
      },
    },
    0,
  );
  return { url: `http://127.0.0.1:${server.port}`, close: server.close };
};
