import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { listenLocally } from '../listen-locally.ts';
import { accessKeyIn } from './aws-caller.ts';
import { type ContentionOptions, openContention } from './dynamodb-contention.ts';
import type { Answer, Body } from './dynamodb-refusals.ts';

export interface DynamodbLimitsOptions extends ContentionOptions {
  /** The DynamoDB behind it. */
  readonly url: string;
}

const bodySchema = z.record(z.string(), z.unknown());

/** A proxy in front of DynamoDB that conflicts and throttles as the service does, and as no emulator does. */
export const startDynamodbLimits = async ({ url, ...options }: DynamodbLimitsOptions) => {
  const answerTo = openContention(options);
  const agent = new Agent({ keepAlive: true });
  const send = async (headers: IncomingHttpHeaders, target: string, body: Body): Promise<Answer> => {
    const { 'content-length': _, ...kept } = headers;
    const sent = request(url, { method: 'POST', agent, headers: { ...kept, 'x-amz-target': target } });
    sent.end(JSON.stringify(body));
    const [received] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: received.statusCode ?? 502, body: bodySchema.parse(await json(received)) };
  };

  const server = createServer(async (incoming, response) => {
    try {
      const [service = '', operation = ''] = String(incoming.headers['x-amz-target']).split('.');
      const { status, body } = await answerTo({
        operation,
        body: bodySchema.parse(await json(incoming)),
        accessKey: accessKeyIn(incoming.headers.authorization),
        ask: (name, asked) => send(incoming.headers, `${service}.${name}`, asked),
      });
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() });
      response.end(JSON.stringify(body));
    } catch {
      // The DynamoDB behind is gone, or the caller is.
      incoming.socket.destroy();
    }
  });
  const { url: ownUrl, close } = await listenLocally(server);
  return {
    url: ownUrl,
    close: async (): Promise<void> => {
      await close();
      agent.destroy();
    },
  };
};
