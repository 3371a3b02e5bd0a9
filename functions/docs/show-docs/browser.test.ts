import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { siteOrder } from '../../../shared/docs/site-map.ts';
import { startBrowser, violationsOn } from '../../../test/browser.ts';
import { serveDocs } from '../docs-server-fixture.ts';

let browser: Browser | undefined;
let server: Awaited<ReturnType<typeof serveDocs>>;
/** One tab shows page after page, as a reader's does: a tab of its own for each test would start and compile everything anew. */
let tab: Page;
beforeAll(async () => {
  server = await serveDocs({
    'GET /admin/v1/me': () => ({ accounts: [{ id: 'a-1', name: 'Ada’s books', role: 'owner' }], isOperator: false }),
    'POST /admin/v1/accounts/a-1/access-keys': (body) => ({ key: `key-for-${JSON.parse(body).api}` }),
  });
  browser = await startBrowser();
  if (browser) {
    tab = await openTab({ permissions: ['clipboard-read', 'clipboard-write'] });
    await tab.goto('/');
  }
  return async () => {
    await browser?.close();
    await server.close();
  };
});

const openTab = async (options: BrowserContextOptions): Promise<Page> => {
  if (!browser) throw new Error('no browser');
  return (await browser.newContext({ baseURL: server.url, ...options })).newPage();
};

const wide = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

/** A page of the documentation, in a browser that remembers nothing of others. */
const open = async (path: string, viewport = wide): Promise<Page> => {
  await tab.setViewportSize(viewport);
  await tab.goto(path);
  return tab;
};
afterEach(async () => {
  await tab?.evaluate('localStorage.clear()');
  await tab?.emulateMedia({ colorScheme: 'light', media: null });
});

beforeEach(({ skip }) => skip(!browser, 'no browser on this machine'));

it('every page fits a phone of 360 px', async () => {
  const page = await open('/', phone);
  // Into one document, without its script, which takes longer than to lay it out: all samples are shown then. None is painted.
  const tooWide = await page.evaluate(`(async (paths) => {
    const texts = await Promise.all(paths.map(async (path) => (await fetch(path)).text()));
    return paths.filter((_, i) => {
      document.body.replaceWith(new DOMParser().parseFromString(texts[i], 'text/html').body);
      return document.documentElement.scrollWidth !== 360;
    });
  })(${JSON.stringify(siteOrder.map(({ path }) => path))})`);
  expect(tooWide).toEqual([]);
});

/** axe needs many seconds for long pages. Of what is drawn alike in one place, three stay. */
const shorten = (page: Page) =>
  page.evaluate(`for (const { children } of document.querySelectorAll('main, main *')) {
    const alike = Object.groupBy(children, ({ tagName, className }) => tagName + '.' + className);
    for (const more of Object.values(alike).flatMap((all) => all.slice(3))) more.remove();
  }`);

/** The header and the navigation are the same on all pages. */
const newPartOf = (path: string) => (path === '/' ? 'html' : 'main, aside');

// One page of each kind.
it.each(['/', '/docs/quick-start', '/docs/statuses', '/docs/receiving', '/docs/events', '/docs/runbook'])(
  '%s fits a phone and passes axe on it, in light and dark',
  async (path) => {
    const page = await open(path, phone);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await shorten(page);
    expect(await violationsOn(page, 'all', newPartOf(path))).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violationsOn(page, 'contrasts', newPartOf(path))).toEqual([]);
  },
);

it('a wide window passes axe too: navigation, text and what is on the page stand side by side', async () => {
  const page = await open('/docs/retries');
  await shorten(page);
  expect(await violationsOn(page)).toEqual([]);
  const lefts = await Promise.all(
    ['nav', 'main', 'aside'].map(async (part) => (await page.locator(part).boundingBox())?.x ?? 0),
  );
  expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
});

it('a reference with its code beside it passes axe', async () => {
  const page = await open('/docs/webhooks');
  await shorten(page);
  expect(await violationsOn(page, 'all', 'main, aside')).toEqual([]);
});

it('search finds sections with the keyboard alone', async () => {
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

it('the first result is the section about what is looked for', async () => {
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

it('a language is chosen once for all samples, with the mouse or the arrows, and remembered on other pages', async () => {
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

it('copies code as it is', async () => {
  const page = await open('/docs/quick-start');
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.getByRole('status').filter({ hasText: 'Copied' }).count()).toBe(1);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm start');
});

// Before the next one, whose page asks for its account until it is left.
it('asks for no account where no person has signed in on this browser', async () => {
  const before = server.asked.length;
  const page = await open('/docs/quick-start');
  await page.getByText(`${server.url}/api/v1/messages`).first().waitFor();
  expect(server.asked.slice(before).filter((key) => key.includes('/admin/'))).toEqual([]);
  expect(await page.locator('main').innerText()).toContain('mk_your_key');
});

it('samples have the address of this host, and keys of the account where a person is signed in', async () => {
  await tab.evaluate("localStorage.setItem('dashboard:last-account', 'a-1')");
  const page = await open('/docs/quick-start');
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

it('on a phone the menu opens, leads to another page, and closes', async () => {
  const page = await open('/docs/quick-start', phone);
  const nav = page.getByRole('navigation');
  expect(await nav.isVisible()).toBe(false);
  await page.getByRole('link', { name: 'Menu' }).click();
  expect(await nav.isVisible()).toBe(true);
  expect(await violationsOn(page, 'all', 'nav')).toEqual([]);
  await page.getByRole('link', { name: 'Close' }).click();
  expect(await nav.isVisible()).toBe(false);
});

it('on a phone the search has no shortcut that is cut off, and the words of a wide table stay whole', async () => {
  const shown = () => tab.getByRole('combobox').getAttribute('placeholder');
  await open('/docs/figures');
  expect(await shown()).toMatch(/K$/);
  const page = await open('/docs/figures', phone);
  expect(await shown()).toBe('Search');
  const cell = page.locator('.table:has(td:nth-child(4)) td:first-child').first();
  expect((await cell.boundingBox())?.width).toBeGreaterThanOrEqual(112);
});

it('without JavaScript everything is readable: all samples are shown, and the menu works', async () => {
  const page = await openTab({ javaScriptEnabled: false, viewport: phone });
  await page.goto('/docs/quick-start');
  expect(await page.locator('.sample:visible').count()).toBe(await page.locator('.sample').count());
  expect(await page.getByRole('combobox').count()).toBe(0);
  await page.getByRole('link', { name: 'Menu' }).click();
  expect(await page.getByRole('navigation').isVisible()).toBe(true);
});

it('prints the text alone', async () => {
  const page = await open('/docs/retries');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
});
