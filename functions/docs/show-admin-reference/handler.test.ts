import { beforeAll, describe, expect, it } from 'vitest';
import { kindOf } from '../../../infra/auth.ts';
import { describedRoutes } from '../../../infra/describe.ts';
import { type Route, routes } from '../../../infra/routes.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-admin-reference');
});

const operatorRoutes = describedRoutes.filter(({ api }) => api === 'operators');

/** The section of an endpoint. */
const sectionOf = (heading: string) =>
  page.text.split('<h3 ').find((part) => part.includes(`<p><code>${heading}</code>`)) ?? '';

describe('GET /docs/admin', () => {
  it('200 shows an accessible page of under 125 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(125_000);
  });

  it('covers every row for operators', () => {
    const rows = Object.entries<Route>(routes).filter(
      ([, { does, auth }]) => kindOf(auth) === 'operator' && !does.startsWith('docs/'),
    );
    expect(operatorRoutes.map(({ method, path }) => `${method} ${path}`)).toEqual(rows.map(([key]) => key));
  });

  it.each(operatorRoutes)('shows $method $path with an example call and its refusals', ({ method, path }) => {
    const section = sectionOf(`${method} ${path}`);
    expect(section).toContain('<pre>curl ');
    expect(section, 'the contract has no example of its body').not.toContain('-d &#39;{}&#39;');
    expect(section).toContain('Authorization: Bearer $API_KEY');
    expect(section).toContain('<a href="/docs/errors#internal_error">');
    expect(section).not.toContain('<a href="/docs/errors#forbidden_scope">');
  });

  it('shows the fields of each provider of an account', () => {
    const section = sectionOf('PATCH /admin/v1/accounts/{id}');
    for (const kind of ['simulator', 'aws', 'http', 'meta']) expect(section).toContain(`always <code>${kind}</code>`);
    for (const field of ['takesReference', 'phoneNumberId'])
      expect(section).toContain(`<dt><code>${field}</code></dt>`);
  });

  it('shows the items of a list that is replaced', () => {
    expect(sectionOf('PUT /admin/v1/accounts/{id}/checkout-methods')).toContain('<dt><code>gatewayCode</code></dt>');
  });
});
