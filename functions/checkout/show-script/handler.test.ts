import { expect, it } from 'vitest';
import { script, scriptPath } from '../../../shared/checkout/page/script.ts';
import { queryOf, visit } from '../../../shared/http/page-fixture.ts';
import { handler } from './main.ts';

it('GET /checkout/page.js 200 gives the script, to be kept for good', async () => {
  const { status, headers, text } = await visit(handler, {}, queryOf(scriptPath));
  expect([status, text]).toEqual([200, script]);
  expect(headers).toMatchObject({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
});

it('GET /checkout/page.js 200 is not kept for good where the page that asks is of another release', async () => {
  const { text, headers } = await visit(handler, {}, { v: '0123456789ab' });
  expect([text, headers['Cache-Control']]).toEqual([script, 'public, max-age=300']);
});
