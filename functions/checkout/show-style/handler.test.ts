import { expect, it } from 'vitest';
import { style, stylePath } from '../../../shared/checkout/page/style.ts';
import { queryOf, visit } from '../../../shared/http/page-fixture.ts';
import { handler } from './main.ts';

it('GET /checkout/style.css 200 has a merchant’s colour, with text that can be read on it, and nothing else of its query', async () => {
  expect((await visit(handler, {}, { color: 'ffcc00' })).text).toContain(
    'background:#ffcc00;border-color:var(--edge);color:#000000',
  );
  for (const color of ['red', 'FFCC00', 'ffcc00;}', '']) expect((await visit(handler, {}, { color })).text).toBe(style);
});

it('GET /checkout/style.css 200 gives the style sheet, to be kept for good', async () => {
  const { status, headers, text } = await visit(handler, {}, queryOf(stylePath(null)));
  expect([status, text]).toEqual([200, style]);
  expect(headers).toMatchObject({
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
});

it('GET /checkout/style.css 200 is not kept for good where the page that asks is of another release', async () => {
  for (const query of [{}, { v: '0123456789ab' }, { v: '0123456789ab', color: 'ffcc00' }])
    expect((await visit(handler, {}, query)).headers).toMatchObject({ 'Cache-Control': 'public, max-age=300' });
  const { headers } = await visit(handler, {}, queryOf(stylePath('#ffcc00')));
  expect(headers).toMatchObject({ 'Cache-Control': 'public, max-age=31536000, immutable' });
});
