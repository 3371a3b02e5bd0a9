import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AwsError } from './json-service.ts';

/** The secret of every local access key. */
const secret = 'local';
const algorithm = 'AWS4-HMAC-SHA256';
const longestLifeSeconds = 7 * 86_400;

interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

/** RFC 3986: `encodeURIComponent` leaves five characters more. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const isPresigned = ({ searchParams }: URL): boolean => searchParams.has('X-Amz-Algorithm');

/** The access key of a request whose signature is in its query. */
export const presignedBy = ({ searchParams }: URL): string => searchParams.get('X-Amz-Credential')?.split('/')[0] ?? '';

/**
 * Verifies a signature in the query as S3 does: Signature Version 4 over method, path, query and signed headers, not over the body.
 * @throws AwsError when it has expired, or was made for another request
 */
export const verifyPresigned = ({ method, url, headers }: SignedRequest, nowMs: number): void => {
  const parameter = (name: string): string => {
    const value = url.searchParams.get(name);
    if (value) return value;
    throw new AwsError('AuthorizationQueryParametersError', `Query-string authentication requires ${name}.`, 400);
  };
  const [, day = '', region = '', service = ''] = parameter('X-Amz-Credential').split('/');
  const date = parameter('X-Amz-Date');
  const lifeSeconds = Number(parameter('X-Amz-Expires'));
  if (parameter('X-Amz-Algorithm') !== algorithm || !(lifeSeconds > 0 && lifeSeconds <= longestLifeSeconds))
    throw new AwsError('AuthorizationQueryParametersError', 'X-Amz-Algorithm or X-Amz-Expires is not valid.', 400);
  const signedMs = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
  if (!(nowMs < signedMs + lifeSeconds * 1_000)) throw new AwsError('AccessDenied', 'Request has expired', 403);

  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const names = parameter('X-Amz-SignedHeaders');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`);
  const canonical = [method, url.pathname, query, lines.join(''), names, 'UNSIGNED-PAYLOAD'].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const expected = hmac(key, [algorithm, date, scope, sha256(canonical)].join('\n'));
  const given = Buffer.from(parameter('X-Amz-Signature'), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new AwsError(
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided.',
      403,
    );
};
