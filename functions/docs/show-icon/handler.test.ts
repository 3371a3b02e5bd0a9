import { expect, it } from 'vitest';
import { visit } from '../../../shared/http/page-fixture.ts';
import { handler } from './main.ts';

it('GET /favicon.ico 200 returns a small icon that a browser may cache for a day', async () => {
  const { status, headers, text } = await visit(handler);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': 'public, max-age=86400',
    'X-Content-Type-Options': 'nosniff',
  });
  expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 16 16">.*<\/svg>\n$/);
  expect(Buffer.byteLength(text)).toBeLessThan(1_000);
});
