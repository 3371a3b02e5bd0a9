import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../infra/routes.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-start');
});

describe('GET /', () => {
  it('200 shows an accessible page of under 6 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(6_000);
    expect(page.text).toContain('color-scheme:light dark');
    expect(page.headers['Content-Security-Policy']).toContain("img-src 'self'");
  });

  it('links to every documentation page, and only to existing routes', () => {
    const links = [...page.text.matchAll(/href="(\/[^"#]*)"/g)].map(([, path]) => `GET ${path}`);
    const served = Object.keys(routes);
    expect(links.filter((link) => !served.includes(link))).toEqual([]);
    const documented = served.filter(
      (key) => key.startsWith('GET /docs') || /^GET (\/api)?\/v1\/openapi.*\.json$/.test(key),
    );
    expect(documented.filter((key) => !links.includes(key))).toEqual([]);
  });
});
