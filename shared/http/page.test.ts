import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../kit/fault.ts';
import { guarded } from './guarded.ts';
import { type Page, page, picture } from './page.ts';
import { visit } from './page-fixture.ts';
import { envelope } from './surface.ts';

const style = 'body { color: black }';
const text: Page = { type: 'text/html', text: `<!doctype html><style>${style}</style><p>Hello` };
const show = page(text);

describe('a page', () => {
  it('200 returns its text, cacheable for five minutes', async () => {
    const { status, headers, text } = await visit(show);
    expect(status).toBe(200);
    expect(text).toContain('<p>Hello');
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'X-Request-Id': 'test-request',
    });
  });

  it('allows its own style and nothing else', async () => {
    const { headers } = await visit(show);
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });

  it('200 is compressed for a browser that reads gzip', async () => {
    const { headers, text } = await visit(show, { 'accept-encoding': 'br, gzip' });
    expect(headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    expect(gunzipSync(Buffer.from(text, 'base64')).toString()).toBe((await visit(show)).text);
  });

  it('200 is plain for a browser that says with q=0 that it reads no gzip', async () => {
    const plain = (await visit(show)).text;
    for (const accepted of ['gzip;q=0', 'br, gzip; q=0.0', 'gzip;q=0.000, identity'])
      expect([accepted, (await visit(show, { 'accept-encoding': accepted })).text]).toEqual([accepted, plain]);
    const { headers } = await visit(show, { 'accept-encoding': 'gzip;q=0.5' });
    expect(headers['Content-Encoding']).toBe('gzip');
  });

  it('304 confirms an unchanged page, without its text', async () => {
    const { headers } = await visit(show);
    const tag = String(headers['ETag']);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await visit(show, { 'if-none-match': known });
      expect([known, again.status, again.text]).toEqual([known, 304, '']);
      expect(again.headers['ETag']).toBe(tag);
    }
    expect((await visit(show, { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('a page that the table is needed for', () => {
  const failing = {
    picture: (failure: Error) => picture(() => Promise.reject(failure)),
    guarded: (failure: Error) => guarded({ identify: () => Promise.reject(failure), faultBody: envelope }, text),
  };

  it.each(Object.entries(failing))('answers a failure as every endpoint does: %s', async (_, showing) => {
    const failed = await visit(showing(new Error('of ada@example.com')));
    expect([failed.status, failed.headers['X-Request-Id']]).toEqual([500, 'test-request']);
    expect(JSON.parse(failed.text).error).toMatchObject({
      code: 'internal_error',
      message: 'Unexpected server error. Request id: test-request',
    });
    const busy = await visit(showing(new Unavailable('the table is busy')));
    expect([busy.status, busy.headers['Retry-After']]).toEqual([503, '1']);
  });
});
