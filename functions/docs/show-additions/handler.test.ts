import { beforeAll, describe, expect, it } from 'vitest';
import { describedRoutes } from '../../../infra/describe.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-additions');
});

describe('GET /docs/additions', () => {
  it('200 shows an accessible page of under 100 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(100_000);
  });

  it.each(describedRoutes.filter(({ api }) => api === 'additions'))(
    'shows $method $path with an example call and its refusals',
    ({ method, path }) => {
      const section = page.text.split('<h3 ').find((part) => part.includes(`<p><code>${method} ${path}</code>`)) ?? '';
      expect(section).toContain('<pre>curl ');
      expect(section, 'the contract has no example of its body').not.toContain('-d &#39;{}&#39;');
      expect(section).toContain('<a href="/docs/errors#internal_error">');
    },
  );
});
