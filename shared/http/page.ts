import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { log } from '../kit/log.ts';

/** A text that is the same for everyone and as old as the code. */
export interface Page {
  readonly type: 'text/html' | 'application/json' | 'text/css' | 'image/svg+xml';
  readonly text: string;
  /** Its address changes with it, so that a browser may keep it for good. */
  readonly isVersioned?: true;
  /** How long a browser may show it without asking again. */
  readonly freshSeconds?: number;
}

/** What every page says of itself to a browser. */
export const pageHeaders = ({ type, text }: Page): Record<string, string> => ({
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Security-Policy': policyFor(text),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
});

/** A Lambda handler that shows a page. It has no contract and no caller: all that it reads of a request is whether the page is already there. */
export const page = ({ type, text, isVersioned, freshSeconds = 300 }: Page) => {
  const tag = `"${digest(text)}"`;
  const headers = {
    ...pageHeaders({ type, text }),
    'Cache-Control': isVersioned ? 'public, max-age=31536000, immutable' : `public, max-age=${freshSeconds}`,
    ETag: tag,
  };
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { requestId } = event.requestContext;
    const known = (event.headers['if-none-match'] ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
    const status = known.includes(tag) || known.includes('*') ? 304 : 200;
    log('info', 'answered', { requestId, routeKey: event.routeKey, status });
    return {
      statusCode: status,
      headers: { ...headers, 'X-Request-Id': requestId },
      ...(status === 200 && { body: text }),
    };
  };
};

/** Nothing may be loaded, run or framed, and forms lead nowhere else; the page's own style sheets are named by their hashes. */
const policyFor = (text: string): string => {
  const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => `'sha256-${digest(style)}'`);
  return [
    `default-src 'none'`,
    ...(styles.length > 0 ? [`style-src ${styles.join(' ')}`] : []),
    ...(text.includes('<link rel="icon"') ? [`img-src 'self'`] : []),
    `base-uri 'none'`,
    `form-action ${text.includes('<form') ? "'self'" : "'none'"}`,
    `frame-ancestors 'none'`,
  ].join('; ');
};

const digest = (text: string): string => createHash('sha256').update(text).digest('base64');
