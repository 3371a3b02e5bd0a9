import { brotliDecompressSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { browserSecurity } from './browser-security.ts';
import { accepts, isKnown, tagOf } from './page.ts';
import { serving } from './serving.ts';

/** A file of an app that runs in the browser. */
export interface AppFile {
  readonly type: string;
  /** Compressed by brotli, as base64. */
  readonly brotli: string;
}

interface App {
  /** The HTML of every screen; the script shows the one that the URL names. */
  readonly page: string;
  /** The HTML of the frame that shows a mail. */
  readonly frame: string;
  readonly files: Readonly<Record<string, AppFile>>;
}

const security = { ...browserSecurity, 'Referrer-Policy': 'same-origin' };

/** Nothing inline and nothing of another host. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/**
 * A mail has styles of its own, so it is shown in a frame with this policy: no request leaves it, its own scripts do not run, and the
 * sandbox keeps it from the dashboard's origin.
 */
const framePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-scripts";

const frameName = 'frame.html';

/** A Lambda handler for an app in the browser: its files at `…/assets/{file}`, and its page at every other path. */
export const app = ({ page, frame, files }: App) => {
  const document = (text: string, policy: string) => {
    const headers = {
      ...security,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-cache',
      ETag: tagOf(text),
    };
    return (event: APIGatewayProxyEventV2): Answer =>
      isKnown(event, headers.ETag) ? { statusCode: 304, headers } : { statusCode: 200, headers, body: text };
  };
  const [showPage, showFrame] = [document(page, pagePolicy), document(frame, framePolicy)];

  const answer = (event: APIGatewayProxyEventV2): Answer => {
    if (!event.routeKey.endsWith('/{file}')) return showPage(event);
    const name = event.pathParameters?.['file'] ?? '';
    if (name === frameName) return showFrame(event);
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    return file ? fileAnswer(file, event) : missing;
  };

  return serving(async (event) => answer(event));
};

type Answer = APIGatewayProxyStructuredResultV2 & { readonly statusCode: number };

const missing: Answer = {
  statusCode: 404,
  headers: { ...security, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
};

/** Its name changes with its content. */
const fileAnswer = ({ type, brotli }: AppFile, event: APIGatewayProxyEventV2): Answer => {
  const isCompressed = accepts(event, 'br');
  return {
    statusCode: 200,
    headers: {
      ...security,
      'Content-Type': `${type}; charset=utf-8`,
      // The frame of a mail has an origin of its own.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isCompressed && { 'Content-Encoding': 'br' }),
    },
    body: isCompressed ? brotli : brotliDecompressSync(Buffer.from(brotli, 'base64')).toString('base64'),
    isBase64Encoded: true,
  };
};
