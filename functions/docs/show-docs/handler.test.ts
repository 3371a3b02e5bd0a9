import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { lexer } from 'marked';
import { beforeAll, describe, expect, it } from 'vitest';
import { best } from '../../../shared/docs/browser/rank.ts';
import type { Found } from '../../../shared/docs/search-index.ts';
import { synonyms } from '../../../shared/docs/search-synonyms.ts';
import { markdownPath, siteOrder } from '../../../shared/docs/site-map.ts';
import { described as site } from '../../../test/described.ts';
import { pageFaults, visitorOf } from '../bundled-page-fixture.ts';

let visit: Awaited<ReturnType<typeof visitorOf>>;
beforeAll(async () => {
  visit = await visitorOf('docs/show-docs');
});

const paths = siteOrder.map(({ path }) => path);
const bytesOf = (path: string): number => Buffer.from(site.files[path]?.gzip ?? '', 'base64').length;
const loadedBy = (markup: string): string[] =>
  [...markup.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)].map(([, path = '']) => path);

/** How many cells each row of each table has. */
const tablesOf = (markdown: string): number[][] =>
  lexer(markdown).flatMap((token) =>
    token.type === 'table' ? [[token.header, ...token.rows].map((row: unknown[]) => row.length)] : [],
  );
const shownTablesOf = (markup: string): number[][] =>
  (markup.match(/<table.*?<\/table>/gs) ?? []).map((table) =>
    (table.match(/<tr.*?<\/tr>/gs) ?? []).map((row) => row.match(/<t[hd]\b/g)?.length ?? 0),
  );

/** How many items each numbered list has. */
const numberedListsOf = (markdown: string): number[] =>
  lexer(markdown).flatMap((token) => (token.type === 'list' && token.ordered ? [token.items.length] : []));
const shownNumberedListsOf = (markup: string): number[] =>
  (markup.match(/<ol.*?<\/ol>/gs) ?? []).map((list) => list.match(/<li\b/g)?.length ?? 0);

const guides = 'shared/docs/pages';
const guidesWithCalls = readdirSync(guides).flatMap((file) => {
  const calls = readFileSync(`${guides}/${file}`, 'utf8').matchAll(/^```call\n\w+ ([^\s?]+)/gm);
  const called = [...calls].map(([, address = '']) => address);
  return called.length > 0 ? [{ path: `/docs/${file.replace('.md', '')}`, called }] : [];
});

describe('the documentation', () => {
  it.each(paths)('200 shows %s, an accessible page that loads nothing from other hosts', async (path) => {
    const { status, headers, text } = await visit(path);
    expect([status, headers['Content-Type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(pageFaults(text)).toEqual([]);
    expect(text).toContain('aria-current="page"');
    expect(text).toContain('<meta name="viewport" content="width=device-width">');
    expect(text).toContain('<a class="skip" href="#main">');
    expect(text).toContain('<html lang="en">');
    // A link that is shown as it is written.
    expect(text).not.toContain('](/');
  });

  it.each(paths)('sends at most 60 KB for the first view of %s, with its style and its script', async (path) => {
    const { text } = await visit(path);
    const loaded = loadedBy(text);
    expect(loaded).toHaveLength(2);
    expect([path, ...loaded].reduce((sum, file) => sum + bytesOf(file), 0)).toBeLessThan(60_000);
  });

  it('has no link and no anchor that leads nowhere', () => {
    expect(site.brokenLinks).toEqual([]);
  });

  it.each(paths)('has a Markdown twin of %s with the same title and its code', async (path) => {
    const page = await visit(path);
    const [, twin = ''] = /rel="alternate" type="text\/markdown" href="([^"]+)"/.exec(page.text) ?? [];
    const { status, headers, text } = await visit(twin);
    expect([status, headers['Content-Type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text.split('\n')[0]).toBe(`# ${/<h1>(.*?)<\/h1>/.exec(page.text)?.[1]}`);
    expect(text.match(/^```\w/gm)?.length ?? 0).toBe(page.text.match(/<pre /g)?.length ?? 0);
    expect(tablesOf(text)).toEqual(shownTablesOf(page.text));
    expect(numberedListsOf(text)).toEqual(shownNumberedListsOf(page.text));
    expect(text.replaceAll(/```.*?```|`[^`]*`/gs, '')).not.toMatch(/<\/?\w+>|&\w+;/);
  });

  it('leaves the names of the lines of a chart out of the Markdown', async () => {
    const { text } = await visit('/docs/growth.md');
    expect(text.split('\n')).not.toContain('GET /messages, unfiltered (messages)');
  });

  it('has the fields of a field further in in the Markdown, and the next field as far out as before', async () => {
    const { text } = await visit('/docs/checkout.md');
    expect(text).toContain('\n- `customer`: _object, optional._\n  - `name`: _string');
    expect(text).toContain('\n- `successUrl`: _string');
    expect((await visit('/docs/additions.md')).text).toContain('\n      - `code`: _string, one of `invalid_request`');
  });

  it('shows sums of figures with the decimals of their parts', async () => {
    expect((await visit('/docs/figures')).text).not.toMatch(/\d\.\d{6}/);
  });

  it('lists every page in llms.txt, at both usual addresses', async () => {
    const { text, headers } = await visit('/llms.txt');
    expect(headers['Content-Type']).toBe('text/plain; charset=utf-8');
    expect(text.match(/^- \[/gm)).toHaveLength(paths.length);
    expect((await visit('/docs/llms.txt')).text).toBe(text);
  });

  it('runs only its own script, asks only its own host, and cannot be framed', async () => {
    const { headers } = await visit('/docs');
    expect(headers['Content-Security-Policy']).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it('keeps style and script forever, because their addresses change with their content', async () => {
    for (const path of loadedBy((await visit('/docs')).text)) {
      expect((await visit(path)).headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it('sends files compressed to browsers, and as they are to others', async () => {
    const plain = await visit('/docs');
    const compressed = await visit('/docs', { 'accept-encoding': 'br, gzip' });
    expect(compressed.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    expect(gunzipSync(Buffer.from(compressed.text, 'base64')).toString()).toBe(plain.text);
  });

  it('304 confirms a page that the browser has already', async () => {
    const { headers } = await visit('/docs');
    const again = await visit('/docs', { 'if-none-match': String(headers['ETag']) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('404 answers an unknown address with a page that leads back', async () => {
    const { status, headers, text } = await visit('/docs/nowhere');
    expect([status, headers['Content-Type'], headers['Cache-Control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain('<h1>Page not found</h1>');
    expect(pageFaults(text)).toEqual([]);
  });

  it('308 leads to every page from the address of its Markdown without .md', async () => {
    for (const path of paths) {
      const { status, headers } = await visit(markdownPath(path).slice(0, -'.md'.length));
      expect([status, headers['Location'] ?? path]).toEqual([status === 200 ? 200 : 308, path]);
    }
  });

  it('308 leads from an address with a slash at its end to the page', async () => {
    const { status, headers } = await visit('/docs/quick-start/');
    expect([status, headers['Location']]).toEqual([308, '/docs/quick-start']);
  });

  it.each([
    ['/api/v1/openapi.json', 'openapi'],
    ['/api/v1/openapi-full.json', 'openapiFull'],
    ['/v1/openapi.json', 'openapiCheckout'],
  ] as const)('200 returns the OpenAPI description at %s as JSON', async (path, name) => {
    const { status, headers, text } = await visit(path);
    expect([status, headers['Content-Type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text).toBe(site[name]);
    expect(JSON.parse(text).openapi).toMatch(/^3\.1\./);
  });

  it.each(guidesWithCalls)(
    'links $path to an OpenAPI description that has its calls of that API',
    async ({ path, called }) => {
      const { text } = await visit(path);
      const [, address = ''] = /rel="service-desc" type="application\/json" href="([^"]+)"/.exec(text) ?? [];
      const { openapi, openapiFull, openapiCheckout, openapiAdmin } = site;
      const descriptions = new Map([
        ['/api/v1/openapi.json', openapi],
        ['/api/v1/openapi-full.json', openapiFull],
        ['/v1/openapi.json', openapiCheckout],
        ['/admin/v1/openapi.json', openapiAdmin],
      ]);
      const { servers, paths: described } = JSON.parse(descriptions.get(address) ?? '');
      const server: string = servers[0].url;
      const shapes = Object.keys(described).map(
        (each) => new RegExp(`^${server}${each.replaceAll(/\{\w+\}/g, '[^/?]+')}$`),
      );
      const calls = called.filter((each) => each.startsWith(`${server}/`));
      expect(calls).not.toEqual([]);
      expect(calls.filter((each) => !shapes.some((shape) => shape.test(each)))).toEqual([]);
    },
  );

  it('200 returns a small icon that a browser may cache for a day', async () => {
    const { status, headers, text } = await visit('/favicon.ico');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    });
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 16 16">.*<\/svg>\n$/);
    expect(Buffer.byteLength(text)).toBeLessThan(1_000);
  });

  it('has an index for searching with an entry for each page and section', async () => {
    const index = JSON.parse((await visit('/docs/search.json')).text);
    for (const path of paths) expect(index.map(([, , href]: string[]) => href)).toContain(path);
    expect(bytesOf('/docs/search.json')).toBeLessThan(78_000);
  });

  it.each([
    ['authentication', '/docs#conventions'],
    ['opt out', '/docs/consent#stop-and-start'],
    ['unsubscribe', '/docs/consent#unsubscribing-from-email'],
    ['gdpr', '/docs/person'],
    ['reschedule', '/docs/additions#rescheduleMessage'],
    ['sms length', '/docs/credits#segments'],
    ['dead letter queue', '/docs/parked'],
    ['webhook signature', '/docs/receiving#verify-messaging'],
    ['localhost webhook', '/docs/receiving#try-it'],
    ['send_blocked', '/docs/errors#send_blocked'],
    ['migrate', '/docs/switching'],
    ['scheduled_at', '/docs/switching'],
  ])('finds what people call %s first at %s', async (words, href) => {
    const [first] = best(JSON.parse((await visit('/docs/search.json')).text), words);
    expect(first?.[2]).toBe(href);
  });

  it('gives other names only to pages and sections that there are', async () => {
    const index: readonly Found[] = JSON.parse((await visit('/docs/search.json')).text);
    expect(index.flatMap(([, , href, , alsoCalled]) => (alsoCalled ? [href] : [])).sort()).toEqual(
      Object.keys(synonyms).sort(),
    );
  });

  it.each([
    ['replyTo', '/docs#sendMessage'],
    ['sortBy', '/docs#listContacts'],
    ['retryAt', '/docs/additions#previewMessage'],
    ['missedSince', '/docs/webhooks#updateWebhook'],
    ['messagesPerSecond', '/docs/admin#updateAccount'],
    ['EDGE_ONLY', '/docs/deploying#a-firewall-before-the-api'],
  ])('finds %s, wherever it stands in a section, at %s', async (words, href) => {
    const found = best(JSON.parse((await visit('/docs/search.json')).text), words);
    expect(found.map(([, , at]) => at)).toContain(href);
  });
});
