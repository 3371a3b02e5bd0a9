import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** API Gateway's limit. */
export const apiGatewayBodyBytes = 10_485_760;

/** Whether the request's Content-Length is over the limit. */
export const declaresTooMuch = ({ headers }: IncomingMessage, mostBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > mostBytes;

/**
 * The whole body, or undefined as soon as it exceeds the limit; the rest is then unread.
 * @throws when the client disconnects before the end
 */
export const readBody = async (request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> => {
  if (declaresTooMuch(request, mostBytes)) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const discardLimitMs = 5_000;

/** Reads and drops the rest of the request for a while: closing the connection at once would lose the response. */
export const discardRest = async (request: IncomingMessage): Promise<void> => {
  const signal = AbortSignal.timeout(discardLimitMs);
  await once(request.resume(), 'close', { signal }).catch(() => undefined);
};

const textTypes = /^(text\/.+|application\/(json|xml|javascript))$/;

/** The body as an HTTP API puts it into the event: a few types as text, all others (also forms and missing types) in base64. */
export const bodyFields = (
  body: Buffer,
  contentType: string | undefined,
): { readonly body?: string; readonly isBase64Encoded: boolean } => {
  if (body.length === 0) return { isBase64Encoded: false };
  const [mediaType = ''] = (contentType ?? '').split(';');
  const isText = textTypes.test(mediaType.trim().toLowerCase()) && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};
