import { expect, it } from 'vitest';
import { script } from '../../../shared/checkout/page/script.ts';
import { visit } from '../../../shared/http/page-fixture.ts';
import { handler } from './main.ts';

it('GET /checkout/page.js 200 gives a page of an earlier release the script of this one, not kept for good', async () => {
  const { status, headers, text } = await visit(handler, {}, { v: '0123456789ab' });
  expect([status, text]).toEqual([200, script]);
  expect(headers).toMatchObject({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  });
});
