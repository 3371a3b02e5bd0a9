import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { docsRedirect } from './docs-redirect.ts';
import { accepts, isKnown } from './page.ts';
import { redirected } from './redirecting.ts';
import { serving } from './serving.ts';

/** A file of a static site as a bundle holds it. */
export interface StoredFile {
  readonly headers: Readonly<Record<string, string>>;
  /** Its text, compressed, in base64. */
  readonly gzip: string;
}

/** A Lambda handler of a static site, by the path of the request. Other paths get the file `missing`. */
export const site = (files: Readonly<Record<string, StoredFile>>, missing: string) =>
  serving(
    async (event) =>
      fileAnswer(files[event.rawPath], 200, event) ??
      redirected(docsRedirect, event) ??
      fileAnswer(files[missing], 404, event) ??
      {},
  );

/** Browsers get a file as it is stored: compressed. */
const fileAnswer = (
  file: StoredFile | undefined,
  status: 200 | 404,
  event: APIGatewayProxyEventV2,
): APIGatewayProxyStructuredResultV2 | undefined => {
  if (!file) return undefined;
  const headers = { ...file.headers, Vary: 'Accept-Encoding', ...(status === 404 && { 'Cache-Control': 'no-store' }) };
  if (status === 200 && isKnown(event, file.headers['ETag'])) return { statusCode: 304, headers };
  return accepts(event, 'gzip')
    ? {
        statusCode: status,
        headers: { ...headers, 'Content-Encoding': 'gzip' },
        body: file.gzip,
        isBase64Encoded: true,
      }
    : { statusCode: status, headers, body: gunzipSync(Buffer.from(file.gzip, 'base64')).toString() };
};
