import { expect, it } from 'vitest';
import { style } from '../../../shared/checkout/page/style.ts';
import { visit } from '../../../shared/http/page-fixture.ts';
import { handler } from './main.ts';

it('GET /checkout/style.css 200 has a merchant’s colour, with text that can be read on it, and nothing else of its query', async () => {
  expect((await visit(handler, {}, { color: 'ffcc00' })).text).toContain(
    'background:#ffcc00;border-color:var(--edge);color:#000000',
  );
  for (const color of ['red', 'FFCC00', 'ffcc00;}', '']) expect((await visit(handler, {}, { color })).text).toBe(style);
});

it('GET /checkout/style.css 200 gives the style sheet, to be kept for good', async () => {
  const { status, headers, text } = await visit(handler);
  expect([status, text]).toEqual([200, style]);
  expect(headers).toMatchObject({
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
});
