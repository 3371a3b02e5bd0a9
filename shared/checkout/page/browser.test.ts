import { once } from 'node:events';
import { createServer } from 'node:http';
import { transformSync } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBrowser, violationsOn } from '../../../test/browser.ts';
import { checkoutPageHeaders } from '../../http/checkout-page.ts';
import { languages } from '../../kit/language.ts';
import { screens } from './screens-fixture.ts';
import { script } from './script.ts';
import { style } from './style.ts';

const server = createServer(({ url = '' }, response) => {
  const [, name = '', language] = url.split('/');
  const page = screens[name]?.(language === 'bn' ? 'bn' : 'en');
  if (page) response.writeHead(200, checkoutPageHeaders).end(page);
  else response.writeHead(200, { 'Content-Type': 'text/css', 'Cache-Control': 'max-age=31536000' }).end(style);
});

let browser: Browser | undefined;
let origin: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
  browser = await startBrowser();
  return () => browser?.close();
});
afterAll(() => {
  server.close();
});
beforeEach(({ skip }) => skip(!browser, 'no browser on this machine'));

/** The narrowest phone there is, and 1280 pixels at four times the size (WCAG 2.2, 1.4.10). */
const narrow = { width: 320, height: 600 };
const wide = { width: 1280, height: 800 };

/** How wide the page is, and the smaller side of the smallest thing that can be hit. */
const measures = `({
  width: document.documentElement.scrollWidth,
  smallest: Math.min(44, ...[...document.querySelectorAll('a, button, label, summary')].map((target) => {
    const { width, height } = target.getBoundingClientRect();
    return Math.min(width, height);
  })),
})`;

/** Where each element is: the kinds of all that it is in, and which attributes name and describe them. Equal ones are drawn and read out alike. */
const places = `[...document.querySelectorAll('body, body *:not(svg *)')].map((element) => {
  const path = [];
  for (let each = element; each; each = each.parentElement)
    path.push([each.tagName, ...['class', 'role', 'type'].map((name) => each.getAttribute(name)), each.getAttributeNames()].join());
  return path.join(' in ');
})`;

const cases = Object.keys(screens).flatMap((name) => languages.map((language) => [name, language] as const));

describe('the screens, in Chromium', () => {
  let page: Page;
  /** On a phone whose text is twice as large. */
  let large: Page;
  const printed: string[] = [];
  const checked = new Set<string>();
  beforeAll(async () => {
    if (!browser) return;
    page = await browser.newPage();
    await page.goto(`${origin}/choice/en`);
    large = await browser.newPage({ viewport: { width: 360, height: 640 } });
    large.on('console', (message) => printed.push(message.text()));
    await large.goto(`${origin}/choice/en`);
    const devtools = await large.context().newCDPSession(large);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  });

  it.each(cases)('%s in %s: nothing is cut off, all can be hit; axe finds nothing', async (name, language) => {
    await page.setViewportSize(narrow);
    // Into one document: axe is compiled once, which takes longer than what it does.
    await page.setContent(screens[name]?.(language) ?? '');
    const drawn: string[] = await page.evaluate(places);
    // The same elements in the same places have the same colours, with other words: one screen shows that Bengali words can have a page.
    if (drawn.some((place) => !checked.has(place)) || (language === 'bn' && name === 'choice')) {
      for (const place of drawn) checked.add(place);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await violationsOn(page), 'light').toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violationsOn(page, 'contrasts'), 'dark').toEqual([]);
    }
    expect(await page.evaluate(measures)).toEqual({ width: narrow.width, smallest: 44 });
    await page.setViewportSize(wide);
    expect(await page.evaluate(measures)).toEqual({ width: wide.width, smallest: 44 });
  });

  it.each(cases)('%s in %s: nothing is cut off on a phone whose text is twice as large', async (name, language) => {
    // Into one document, whose headers are those of all: the browser refuses what they forbid.
    await large.setContent(screens[name]?.(language) ?? '');
    expect(await large.evaluate(measures)).toEqual({ width: 360, smallest: 44 });
    expect(await large.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('32px');
  });

  it('the style sheet draws every language alike', () => {
    expect(style).not.toMatch(/lang/);
  });

  it('the browser refuses nothing of the pages', () => {
    expect(printed).toEqual([]);
  });

  it('a check that finds another page leaves what the payer has sent to its answer', async () => {
    await page.goto(`${origin}/waiting/en`);
    const asked = { times: 0 };
    const askedAgain = Promise.withResolvers<void>();
    await page.route('**', async (route) => {
      const isSent = route.request().method() === 'POST';
      if (isSent) await askedAgain.promise;
      else if (++asked.times === 2) askedAgain.resolve();
      await route.fulfill({ contentType: 'text/html', body: screens[isSent ? 'cancelled' : 'paid']?.('en') ?? '' });
    });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'cancelled' }).waitFor();
    await page.unrouteAll();
  });

  it('a check puts what is new into the status, without a reload, also in a browser of 2021', async () => {
    await page.addInitScript('delete AbortSignal.timeout');
    let body = screens['waiting']?.('en') ?? '';
    await page.route('**/waiting/en', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${origin}/waiting/en`);
    await page.evaluate('document.body.id = "kept"');
    body = screens['waiting-long']?.('en') ?? '';
    await page.locator('#kept [role=status]', { hasText: 'may take a while' }).waitFor();
    await page.unrouteAll();
  });

  it('a page that comes online again checks at once', async () => {
    const later = (text = '') => text.replace('data-check-seconds="2"', 'data-check-seconds="900"');
    let body = later(screens['waiting']?.('en'));
    await page.route('**/waiting/en', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${origin}/waiting/en`);
    body = screens['waiting-long']?.('en') ?? '';
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.locator('[role=status]', { hasText: 'may take a while' }).waitFor();
    await page.unrouteAll();
  });

  it('the amounts of many items add up: the sum of those that are folded is seen only while they are, and paper has them all', async () => {
    const seen = () =>
      page.evaluate(
        `[...document.querySelectorAll('dd, summary span + span')].filter((one) => one.checkVisibility()).map((one) => one.innerText)`,
      );
    const each = '৳500.00';
    await page.goto(`${origin}/choice-many-items/en`);
    expect(await seen()).toEqual([each, each, each, each, '৳4,000.00']);
    await page.emulateMedia({ media: 'print' });
    expect(await seen()).toEqual(Array(12).fill(each));
    await page.emulateMedia({ media: null });
    await page.locator('summary').click();
    expect(await seen()).toEqual(Array(12).fill(each));
  });

  it('a check shows the way to cancel once it is offered, and takes it away once it is not', async () => {
    const offering = screens['waiting']?.('en') ?? '';
    const refusing = offering.replace(/<form[\s\S]*<\/form>/, '');
    let body = offering;
    await page.route('**/waiting/en', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${origin}/waiting/en`);
    const cancel = page.getByRole('button', { name: 'Cancel' });
    body = refusing;
    await cancel.waitFor({ state: 'detached' });
    body = offering;
    await cancel.waitFor();
    await page.unrouteAll();
  });

  it('phones of 2018 can lay out the pages: the style sheet has none of what came after Chrome 69 and Safari 12.1', () => {
    const later =
      /(?:margin|padding|border|inset)-(?:inline|block):|border-(?:start|end)-|[{;]inset|aspect-ratio|:is\(|:where\(|\d[dsl]v(?:h|w)/;
    expect(style).not.toMatch(later);
  });

  it('phones of 2018 can run the script', () => {
    const printed = (target: string[]) => transformSync(script, { target }).code;
    expect(printed(['safari12', 'chrome66'])).toBe(printed(['esnext']));
  });

  it('axe would find what is wrong', async () => {
    await page.goto('about:blank');
    await page.setContent('<p style="color:#999;background:#fff">faint</p>');
    expect((await violationsOn(page)).join()).toMatch(/color-contrast.*document-title.*html-has-lang/);
    expect(await violationsOn(page, 'contrasts')).toEqual([expect.stringMatching(/^color-contrast: /)]);
  });
});
