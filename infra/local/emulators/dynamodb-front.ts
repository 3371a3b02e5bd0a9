import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import * as z from 'zod';
import type { TableSpec } from '../blueprint.ts';
import type { Permissions } from '../permissions.ts';
import { accessKeyIn } from './aws-caller.ts';
import { accessesOf } from './dynamodb-accesses.ts';

export interface DynamodbFrontOptions {
  /** The DynamoDB behind it. */
  readonly url: string;
  readonly tables: readonly TableSpec[];
  readonly permissions: Permissions;
}

interface Received {
  readonly request: Buffer;
  /** Browsers name the page's origin in every POST and preflight, also after its host's name was rebound to this machine. */
  readonly isFromPage: boolean;
  /** Undefined for a request of no AWS client. */
  readonly call: Call | undefined;
}

/** One call of an AWS client. */
interface Call {
  /** `PutItem`. */
  readonly operation: string;
  readonly accessKey: string;
  body(): Readonly<Record<string, unknown>>;
}

const bodySchema = z.record(z.string(), z.unknown());
const writing = /Write|^Put|^Update|^Delete/;
const headEnd = Buffer.from('\r\n\r\n');

/**
 * Refuses the calls that their function's policy does not permit, in front of DynamoDB. It copies bytes between sockets, one connection for
 * each caller's, because a proxy that parses and writes HTTP would cost every call of the stack several times as much.
 */
export const startDynamodbFront = async ({ url, tables, permissions }: DynamodbFrontOptions) => {
  const refusalOf = ({ accessKey, operation, body }: Call) =>
    permissions.refusalOf(accessKey, () => accessesOf(operation, body(), tables));
  const { hostname, port: portBehind } = new URL(url);
  const writes = new EventEmitter().setMaxListeners(0);
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    open.add(socket.setNoDelay(true));
    return socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
  };

  const server = createServer((caller) => {
    keep(caller);
    const behind = keep(connect(Number(portBehind || 80), hostname));
    caller.once('close', () => behind.destroy());
    behind.once('close', () => caller.destroy());
    let isWriting = false;
    behind.on('data', () => {
      if (isWriting) writes.emit('write');
      isWriting = false;
    });
    behind.pipe(caller);
    forEachRequest(caller, ({ request, isFromPage, call }) => {
      isWriting = call !== undefined && writing.test(call.operation);
      const refusal = isFromPage ? 'A page in a browser sent this.' : call && tried(refusalOf, call);
      if (refusal) caller.write(answerOf(refusal));
      else behind.write(request);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    /** Emits `write` when a call that may have changed a table is answered. */
    writes,
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
};

/** A body that is not valid is left to DynamoDB, which refuses it. */
const tried = (refusalOf: (call: Call) => string | undefined, call: Call): string | undefined => {
  try {
    return refusalOf(call);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
};

/** Calls `handle` with each whole request. AWS's clients state the length of a body, and wait for each answer before the next request. */
const forEachRequest = (caller: Socket, handle: (received: Received) => void): void => {
  let received: Buffer = Buffer.alloc(0);
  caller.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const bodyStart = received.indexOf(headEnd) + headEnd.length;
    if (bodyStart < headEnd.length) return;
    const head = received.toString('latin1', 0, bodyStart);
    const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < bodyStart + bodyBytes) return;
    const request = received;
    received = Buffer.alloc(0);
    handle({
      request,
      isFromPage: /\r\norigin:/i.test(head),
      call: callIn(head, () => bodySchema.parse(JSON.parse(request.toString('utf8', bodyStart)))),
    });
  });
};

const callIn = (head: string, body: Call['body']): Call | undefined => {
  const operation = /\r\nx-amz-target: *\w+\.(\w+)/i.exec(head)?.[1];
  return operation === undefined ? undefined : { operation, accessKey: accessKeyIn(head), body };
};

const answerOf = (refusal: string): string => {
  const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', Message: refusal });
  const headers = [
    'content-type: application/x-amz-json-1.0',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-amzn-requestid: ${randomUUID()}`,
  ];
  return `HTTP/1.1 400 Bad Request\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
};
