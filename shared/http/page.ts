import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { serving } from './serving.ts';

/** A static text. */
export interface Page {
  readonly type:
    | 'text/html'
    | 'application/json'
    | 'text/css'
    | 'text/javascript'
    | 'text/markdown'
    | 'text/plain'
    | 'image/svg+xml';
  readonly text: string;
  /** Its URL changes with its content, so that browsers may cache it forever. */
  readonly isVersioned?: boolean;
  /** How long browsers may cache it. */
  readonly freshSeconds?: number;
}

/** The headers of every page: security, how long browsers may keep it, and its version. */
export const pageHeaders = ({ type, text, isVersioned, freshSeconds = 300 }: Page): Record<string, string> => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Security-Policy': policyFor(text),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': isVersioned ? foreverHeader : `public, max-age=${freshSeconds}`,
  ETag: tagOf(text),
});

/** The version of a text, for `ETag`. */
export const tagOf = (text: string): string => `"${digest(text)}"`;

type Texts = Readonly<Record<string, string | undefined>>;

const foreverHeader = 'public, max-age=31536000, immutable';

interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A Lambda handler that serves an image. Its URL always has the same image. */
export const picture = (find: (path: Texts) => Promise<Picture | undefined>) =>
  serving(async ({ pathParameters }) => pictured(await find(pathParameters ?? {})));

const pictured = (found: Picture | undefined) => ({
  statusCode: found ? 200 : 404,
  headers: {
    'Content-Type': found?.type ?? 'text/plain; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': found ? foreverHeader : 'no-store',
  },
  body: found ? Buffer.from(found.bytes).toString('base64') : 'Not found',
  isBase64Encoded: found !== undefined,
});

type Asked = Pick<APIGatewayProxyEventV2, 'headers'>;

/** The browser has this version already. */
export const isKnown = ({ headers }: Asked, tag: string | undefined): boolean => {
  const known = (headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tag !== undefined && (known.includes(tag) || known.includes('*'));
};

/** The browser reads a body that is compressed like this. With `q=0` it says that it does not. */
export const accepts = ({ headers }: Asked, encoding: 'br' | 'gzip'): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some((each) => {
    const [name, weight = ''] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !/^q=0(\.0*)?$/.test(weight);
  });

/** The answer with a page. */
export const pageAnswer = (shown: Page, event: Asked) => {
  const headers: Record<string, string> = { ...pageHeaders(shown), Vary: 'Accept-Encoding' };
  if (isKnown(event, headers['ETag'])) return { statusCode: 304, headers };
  if (!accepts(event, 'gzip')) return { statusCode: 200, headers, body: shown.text };
  return {
    statusCode: 200,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: gzipSync(shown.text).toString('base64'),
    isBase64Encoded: true,
  };
};

/** The answer with a page of this moment. */
export const uncachedPage = (statusCode: number, body: string, more: Readonly<Record<string, string>> = {}) => ({
  statusCode,
  headers: { ...pageHeaders({ type: 'text/html', text: body }), 'Cache-Control': 'no-store', ...more },
  body,
});

/** A Lambda handler that serves a page. It has no contract and no authentication, and reads only `If-None-Match` and `Accept-Encoding`. */
export const page = (shown: Page) => pageFor(() => shown);

/** A Lambda handler that serves the page that the query of its URL chooses. */
export const pageFor = (choose: (query: Texts) => Page) =>
  serving(async (event) => pageAnswer(choose(event.queryStringParameters ?? {}), event));

/** Nothing of other hosts, no framing, and no forms to other hosts; the page's own style sheets are allowed by hash, and our files if it loads some. */
const policyFor = (text: string): string => {
  const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => `'sha256-${digest(style)}'`);
  const sheets = [...styles, ...(text.includes('<link rel="stylesheet"') ? ["'self'"] : [])];
  return [
    `default-src 'none'`,
    ...(sheets.length > 0 ? [`style-src ${sheets.join(' ')}`] : []),
    ...(text.includes('<script src="/') ? [`script-src 'self'`, `connect-src 'self'`] : []),
    ...(text.includes('<link rel="icon"') ? [`img-src 'self'`] : []),
    `base-uri 'none'`,
    `form-action ${text.includes('<form') ? "'self'" : "'none'"}`,
    `frame-ancestors 'none'`,
  ].join('; ');
};

export const digest = (text: string): string => hash('sha256', text, 'base64');
