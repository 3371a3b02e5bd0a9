import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** API Gateway's limit. */
const maximumBodyBytes = 10_485_760;

/** Whether the request itself says that its body is over the limit. */
export const declaresTooMuch = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > maximumBodyBytes;

/**
 * The whole body, or undefined as soon as it is known to be over the limit: the rest is then unread.
 * @throws when the client goes away before the end
 */
export const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  if (declaresTooMuch(request)) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maximumBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const discardLimitMs = 5_000;

/** Takes what a client still sends and drops it, for a while: a connection closed under it loses the answer sent before. */
export const discardRest = async (request: IncomingMessage): Promise<void> => {
  const signal = AbortSignal.timeout(discardLimitMs);
  await once(request.resume(), 'close', { signal }).catch(() => undefined);
};

const textTypes = /^(text\/.+|application\/(json|xml|javascript))$/;

/** The body as an HTTP API puts it into the event: only a few types come as text, forms and unnamed types do not. */
export const bodyFields = (
  body: Buffer,
  contentType: string | undefined,
): { readonly body?: string; readonly isBase64Encoded: boolean } => {
  if (body.length === 0) return { isBase64Encoded: false };
  const [mediaType = ''] = (contentType ?? '').split(';');
  const isText = textTypes.test(mediaType.trim().toLowerCase()) && isUtf8(body);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
};
