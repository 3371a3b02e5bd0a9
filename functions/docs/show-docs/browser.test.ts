import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { siteOrder } from '../../../shared/docs/site-map.ts';
import { startBrowser, violationsOn } from '../../../test/browser.ts';
import { serveDocs } from '../docs-server-fixture.ts';

let browser: Browser | undefined;
let server: Awaited<ReturnType<typeof serveDocs>>;
beforeAll(async () => {
  server = await serveDocs({
    'GET /admin/v1/me': () => ({ accounts: [{ id: 'a-1', name: 'Ada’s books', role: 'owner' }], isOperator: false }),
    'POST /admin/v1/accounts/a-1/access-keys': (body) => ({ key: `key-for-${JSON.parse(body).api}` }),
  });
  browser = await startBrowser();
  return async () => {
    await browser?.close();
    await server.close();
  };
});

const opened: Page[] = [];
afterEach(async () => {
  for (const page of opened.splice(0)) await page.context().close();
});

const open = async (path: string, options: BrowserContextOptions = {}, stored?: string): Promise<Page> => {
  const context = await browser?.newContext({ baseURL: server.url, ...options });
  if (!context) throw new Error('no browser');
  if (stored) await context.addInitScript(`localStorage.setItem('dashboard:last-account', '${stored}')`);
  const page = await context.newPage();
  opened.push(page);
  await page.goto(path);
  return page;
};

const test = it.skipIf(!process.env['CHROME_PATH'] && process.platform !== 'linux');

test('every page fits a phone of 360 px', async () => {
  const page = await open('/', { viewport: { width: 360, height: 740 } });
  // Into one document, without its script, which takes longer than to lay it out: all samples are shown then.
  const widthOf = (path: string) =>
    page.evaluate(`(async () => {
      const text = await (await fetch(${JSON.stringify(path)})).text();
      document.body.replaceWith(new DOMParser().parseFromString(text, 'text/html').body);
      return document.documentElement.scrollWidth;
    })()`);
  const tooWide: string[] = [];
  for (const { path } of siteOrder) if ((await widthOf(path)) !== 360) tooWide.push(path);
  expect(tooWide).toEqual([]);
});

/** axe needs many seconds for long pages. Of sections that are drawn alike, three stay. */
const shorten = (page: Page) =>
  page.evaluate("for (const more of document.querySelectorAll('main section:nth-of-type(n + 4)')) more.remove()");

// One page of each kind.
test.each(['/', '/docs/quick-start', '/docs/statuses', '/docs/receiving', '/docs/events', '/docs/runbook'])(
  '%s fits a phone and passes axe on it, in light and dark',
  async (path) => {
    const page = await open(path, { viewport: { width: 360, height: 740 }, colorScheme: 'light' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await shorten(page);
    expect(await violationsOn(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOn(page, 'contrasts')).toEqual([]);
  },
);

test('a wide window passes axe too: navigation, text and what is on the page stand side by side', async () => {
  const page = await open('/docs/retries', { viewport: { width: 1440, height: 900 } });
  expect(await violationsOn(page)).toEqual([]);
  const lefts = await Promise.all(
    ['nav', 'main', 'aside'].map(async (part) => (await page.locator(part).boundingBox())?.x ?? 0),
  );
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
});

test('a reference with its code beside it passes axe', async () => {
  const page = await open('/docs/webhooks', { viewport: { width: 1440, height: 900 } });
  await shorten(page);
  expect(await violationsOn(page)).toEqual([]);
});

test('search finds sections with the keyboard alone', async () => {
  const page = await open('/docs/quick-start');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('quarantined');
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  await page.getByRole('option').first().waitFor();
  expect(await violationsOn(page, 'all', '#search')).toEqual([]);
  expect(await field.getAttribute('aria-activedescendant')).toBe('found-0');
  await page.keyboard.press('ArrowDown');
  expect(await field.getAttribute('aria-activedescendant')).toBe('found-1');
  await page.keyboard.press('ArrowUp');
  const wanted = await page.getByRole('option', { selected: true }).getAttribute('data-href');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${wanted}`);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('no such word anywhere');
  await page.getByText('Nothing found').waitFor();
  expect(await violationsOn(page, 'all', '#search')).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await field.inputValue()).toBe('');
});

test('the first result is the section about what is looked for', async () => {
  const page = await open('/');
  for (const [words, href] of [
    ['send_blocked', '/docs/errors#send_blocked'],
    ['verify messaging', '/docs/receiving#verify-messaging'],
    ['idempotency', '/docs/idempotency'],
  ] as const) {
    await page.getByRole('combobox').fill(words);
    await expect.poll(() => page.getByRole('option').first().getAttribute('data-href')).toBe(href);
  }
});

test('a language is chosen once for all samples, with the mouse or the arrows, and remembered on other pages', async () => {
  const page = await open('/docs/quick-start');
  const shown = () => page.locator('.sample:visible').evaluateAll((all) => all.map((each) => each.dataset['language']));
  expect(new Set(await shown())).toEqual(new Set(['curl']));
  await page.getByRole('tab', { name: 'Python' }).first().click();
  expect(new Set(await shown())).toEqual(new Set(['Python']));
  await page.goto('/docs/templates');
  expect(new Set(await shown())).toEqual(new Set(['Python']));
  await page.getByRole('tab', { name: 'Python' }).first().press('ArrowRight');
  expect(new Set(await shown())).toEqual(new Set(['PHP']));
  await page.goto('/docs/receiving');
  expect(new Set(await shown())).toEqual(new Set(['PHP']));
  // Where a language is missing, the first one stays.
  await page.getByRole('tab', { name: 'Ruby' }).first().click();
  await page.reload();
  expect(new Set(await shown())).toEqual(new Set(['curl', 'Ruby']));
});

test('copies code as it is', async () => {
  const page = await open('/docs/quick-start', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.getByRole('status').filter({ hasText: 'Copied' }).count()).toBe(1);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm start');
});

test('samples have the address of this host, and keys of the account where a person is signed in', async () => {
  const page = await open('/docs/quick-start', {}, 'a-1');
  await page.getByText('keys of Ada’s books').waitFor();
  const text = await page.locator('main').innerText();
  expect(text).toContain(`${server.url}/api/v1/messages`);
  expect(text).toContain('key-for-messaging');
  expect(text).toContain('key-for-checkout');
  expect(text).not.toContain('your_key');
  expect(await violationsOn(page, 'all', 'p.key')).toEqual([]);
  await page.goto('/docs/additions');
  await page.getByText(`${server.url}/api/v1/messages`).first().waitFor();
  // The time of rescheduling: one that is over would be refused.
  const shown = (await page.locator('main').textContent()) ?? '';
  const [, time = ''] = /PATCH.+?"sendAt": *"([^"]+)"/s.exec(shown) ?? [];
  expect(Date.parse(time)).toBeGreaterThan(Date.now());
});

test('asks for no account where no person has signed in on this browser', async () => {
  const before = server.asked.length;
  const page = await open('/docs/quick-start');
  await page.getByText(`${server.url}/api/v1/messages`).first().waitFor();
  expect(server.asked.slice(before).filter((key) => key.includes('/admin/'))).toEqual([]);
  expect(await page.locator('main').innerText()).toContain('mk_your_key');
});

test('on a phone the menu opens, leads to another page, and closes', async () => {
  const page = await open('/docs/quick-start', { viewport: { width: 360, height: 740 } });
  const nav = page.getByRole('navigation');
  expect(await nav.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Menu' }).click();
  expect(await nav.isVisible()).toBe(true);
  expect(await violationsOn(page, 'all', 'nav')).toEqual([]);
  await page.getByRole('link', { name: 'Close' }).click();
  expect(await nav.isVisible()).toBe(false);
});

test('on a phone the search has no shortcut that is cut off, and the words of a wide table stay whole', async () => {
  const shown = async (width: number) =>
    (await open('/docs/figures', { viewport: { width, height: 740 } }))
      .getByRole('combobox')
      .getAttribute('placeholder');
  expect(await shown(1440)).toMatch(/K$/);
  expect(await shown(360)).toBe('Search');
  const page = await open('/docs/figures', { viewport: { width: 360, height: 740 } });
  const cell = page.locator('.table:has(td:nth-child(4)) td:first-child').first();
  expect((await cell.boundingBox())?.width).toBeGreaterThanOrEqual(112);
});

test('without JavaScript everything is readable: all samples are shown, and the menu works', async () => {
  const page = await open('/docs/quick-start', { javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  expect(await page.locator('.sample:visible').count()).toBe(await page.locator('.sample').count());
  expect(await page.getByRole('combobox').count()).toBe(0);
  await page.getByRole('link', { name: 'Menu' }).click();
  expect(await page.getByRole('navigation').isVisible()).toBe(true);
});

test('prints the text alone', async () => {
  const page = await open('/docs/retries', { viewport: { width: 1440, height: 900 } });
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
});
