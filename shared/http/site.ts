import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { log } from '../kit/log.ts';
import { docsRedirect } from './docs-redirect.ts';
import { isKnown } from './page.ts';

/** A file of a static site as a bundle holds it. */
export interface StoredFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Its text, compressed, in base64. */
  readonly gzip: string;
}

/** A Lambda handler of a static site, by the path of the request. Other paths get the page `missing`. Browsers get files as they are stored: compressed. */
export const site =
  (files: Readonly<Record<string, StoredFile>>, missing: string) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestContext, rawPath, routeKey } = event;
    const { requestId } = requestContext;
    const found = files[rawPath];
    const redirect = found ? undefined : docsRedirect({ event });
    const { headers, gzip = '' } = found ?? { ...files[missing] };
    const status = redirect ? 308 : !found ? 404 : isKnown(event, { ...headers }) ? 304 : 200;
    log('info', 'answered', { requestId, routeKey, status });
    if (redirect) return redirect;
    const isCompressed = /\bgzip\b/.test(event.headers['accept-encoding'] ?? '');
    return {
      statusCode: status,
      headers: {
        ...headers,
        ...(!found && { 'Cache-Control': 'no-store' }),
        Vary: 'Accept-Encoding',
        ...(isCompressed && status !== 304 && { 'Content-Encoding': 'gzip' }),
        'X-Request-Id': requestId,
      },
      ...(status !== 304 && {
        body: isCompressed ? gzip : gunzipSync(Buffer.from(gzip, 'base64')).toString(),
        isBase64Encoded: isCompressed,
      }),
    };
  };
