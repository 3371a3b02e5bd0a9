import { beforeAll, describe, expect, it } from 'vitest';
import { describedRoutes } from '../../../infra/describe.ts';
import { contactStatuses } from '../../../shared/contacts/contact.ts';
import { statuses } from '../../../shared/messages/message.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-reference');
});

describe('GET /docs', () => {
  it('explains every status of messages and contacts', () => {
    for (const status of [...statuses, ...contactStatuses])
      expect(page.text).toContain(`<dt><code>${status}</code></dt>`);
  });

  it('200 shows an accessible page of under 60 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(60_000);
  });

  it('fits narrow windows, has a dark mode, and works with the keyboard', () => {
    expect(page.text).toContain('<meta name="viewport" content="width=device-width">');
    expect(page.text).toContain('color-scheme:light dark');
    expect(page.text).toContain('<a class="skip" href="#main">');
    expect(page.text).toContain('<html lang="en">');
  });

  it.each(describedRoutes.filter(({ api }) => api === 'messaging'))(
    'shows $method $path with its scope, an example call and its refusals',
    ({ method, path, scope }) => {
      const section = page.text.split('<h3 ').find((part) => part.includes(`<p><code>${method} ${path}</code>`)) ?? '';
      expect(section).toContain(`<code>${scope}</code>`);
      expect(section).toContain('<pre>curl ');
      expect(section).toContain('<a href="/docs/errors#unauthorized">');
    },
  );

  it('shows limits', () => {
    const [, section = ''] = page.text.split('<h3 id="sendMessage">');
    expect(section).toContain('<dt><code>to</code></dt>\n<dd><i>string, at most 320 characters.</i>');
    expect(section).toContain('at most 10 items');
    expect(page.text).toContain('1 to 100, default <code>20</code>');
  });

  it('states the size limit of attachments, and which component refuses a larger request', () => {
    for (const text of ['7,340,032 bytes', 'about 700 KB', 'status 413', 'about 4.5 MB', '/docs/errors#api-gateway']) {
      expect(page.text).toContain(text);
    }
  });
});
