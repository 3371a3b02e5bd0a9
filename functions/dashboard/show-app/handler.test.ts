import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../infra/browser-app.ts';
import { app } from '../../../shared/http/app-files.ts';
import { contextWith } from '../../../test/lambda-context.ts';

/** Compressed. */
const mostBytes = { firstView: 25_000, all: 65_000 };
const mostFiles = 5;

let built: Awaited<ReturnType<typeof buildDashboard>>;
let show: ReturnType<typeof app>;
beforeAll(async () => {
  built = await buildDashboard();
  show = app(built);
});

const visit = async (event: object) => {
  const asked = {
    headers: {},
    requestContext: { requestId: 'test-request' },
    routeKey: 'GET /dashboard/{path+}',
    ...event,
  };
  const { statusCode, headers = {}, body = '' } = await show(asked as unknown as APIGatewayProxyEventV2, contextWith());
  return { status: statusCode, headers, text: body };
};
const visitFile = (file: string, headers: Record<string, string> = {}) =>
  visit({ routeKey: 'GET /dashboard/assets/{file}', pathParameters: { file }, headers });
const bytesOf = (name: string): Buffer => Buffer.from(built.files[name]?.brotli ?? '', 'base64');

describe('GET /dashboard', () => {
  it('200 loads only its own few files, of which a browser needs at most 25 KB before it shows anything', async () => {
    const { status, headers, text } = await visit({ routeKey: 'GET /dashboard' });
    expect(status).toBe(200);
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    const files = built.firstView.map((name) => `/dashboard/assets/${name}`);
    expect(loaded.sort()).toEqual([...files, '/favicon.ico'].sort());
    const sumOf = (names: readonly string[]) => names.reduce((sum, name) => sum + bytesOf(name).length, 0);
    expect(brotliCompressSync(text).length + sumOf(built.firstView)).toBeLessThan(mostBytes.firstView);
    const all = Object.keys(built.files);
    expect(sumOf(all)).toBeLessThan(mostBytes.all);
    expect(all.length).toBeLessThanOrEqual(mostFiles);
    expect(text).not.toMatch(/<style|<script>|\sstyle=|\son\w+=/);
    expect(headers['Content-Security-Policy']).not.toMatch(/unsafe|https?:|data:/);
    expect(headers).toMatchObject({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
  });

  it('304 when the browser has the page already', async () => {
    const { headers } = await visit({});
    for (const known of [String(headers['ETag']), '*']) {
      const again = await visit({ headers: { 'if-none-match': known } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
  });
});

describe('GET /dashboard/assets/{file}', () => {
  it('200 is compressed for a client that accepts brotli, plain for another, and the same for ever', async () => {
    for (const [name, { type, brotli }] of Object.entries(built.files)) {
      const plain = await visitFile(name);
      const packed = await visitFile(name, { 'accept-encoding': 'gzip, br' });
      const refusing = await visitFile(name, { 'accept-encoding': 'gzip, br;q=0' });
      expect(packed.headers).toMatchObject({
        'Content-Encoding': 'br',
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
      });
      expect(packed.text).toBe(brotli);
      expect(plain.headers).not.toHaveProperty('Content-Encoding');
      expect(refusing.text).toBe(plain.text);
      expect(Buffer.from(plain.text, 'base64')).toEqual(brotliDecompressSync(bytesOf(name)));
    }
  });

  it('200 uses nothing of browsers that is younger than those it is built for', () => {
    const young =
      /AbortSignal\.any\b|\bURL\.(canParse|parse)\b|\.aria[A-Z]\w+|\b(Promise\.(withResolvers|try)|Object\.groupBy|Map\.groupBy|Array\.fromAsync|Iterator\.from|RegExp\.escape)\b|\.(isWellFormed|toWellFormed|togglePopover|showPopover|checkVisibility|setHTMLUnsafe|requestClose|startViewTransition)\(|requestIdleCallback/g;
    const scripts = Object.keys(built.files).filter((name) => name.endsWith('.js'));
    expect(scripts.flatMap((name) => String(brotliDecompressSync(bytesOf(name))).match(young) ?? [])).toEqual([]);
  });

  it('200 shows a mail in a frame without an origin, whose policy lets no request out', async () => {
    const { status, headers } = await visitFile('frame.html');
    expect(status).toBe(200);
    expect(headers['Content-Security-Policy']).toMatch(/^default-src 'none'; .*sandbox allow-scripts$/);
    expect(headers['Content-Security-Policy']).not.toMatch(/script-src[^;]*unsafe|connect-src|https?:/);
  });

  it('404 for another name', async () => {
    for (const name of ['x.js', 'constructor', '__proto__']) expect((await visitFile(name)).status).toBe(404);
  });
});
