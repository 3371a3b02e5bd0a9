import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { complain, reasonOf } from '../complaints.ts';
import { listenLocally } from '../listen-locally.ts';
import { isFromOtherSite } from './other-site.ts';

/** An error that AWS's clients turn into the exception of that name. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface JsonRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/**
 * Serves one of AWS's JSON protocols on a free port of 127.0.0.1. `answer` returns the reply, throws a `ZodError` for a validation
 * error, or throws an `AwsError`.
 */
export const serveJson = async (answer: (request: JsonRequest) => unknown) => {
  const server = createServer(async (request, response) => {
    const received = await text(request).catch(() => undefined);
    // The caller disconnected before the end of the body.
    if (received === undefined) return;
    const { status, code, body } = await replyTo(request, received, answer);
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-amzn-requestid': randomUUID(),
      ...(code && { 'x-amzn-errortype': code }),
    });
    response.end(JSON.stringify(body));
  });
  return listenLocally(server);
};

const replyTo = async (request: IncomingMessage, received: string, answer: (request: JsonRequest) => unknown) => {
  try {
    if (isFromOtherSite(request)) throw new AwsError('AccessDeniedException', 'A page of another site sent this.', 403);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const body = await answer({
      method: request.method ?? 'GET',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: parsed(received),
    });
    return { status: 200, body };
  } catch (thrown) {
    const { code, message, status } = refusalOf(thrown);
    return { status, code, body: { __type: code, message } };
  }
};

const parsed = (body: string): unknown => {
  try {
    return body === '' ? {} : JSON.parse(body);
  } catch {
    throw new AwsError('SerializationException', 'The body is not JSON.');
  }
};

const refusalOf = (thrown: unknown): AwsError => {
  if (thrown instanceof AwsError) return thrown;
  if (thrown instanceof z.ZodError) {
    const reasons = thrown.issues.map((issue) => `'${issue.path.join('.')}': ${issue.message}`);
    return new AwsError('ValidationException', `Validation errors detected: ${reasons.join('; ')}`);
  }
  complain(reasonOf(thrown), thrown);
  return new AwsError('InternalServerException', 'The emulator failed; its log says why.', 500);
};
