import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { violationsOn } from './browser.ts';
import { inFull } from './model-runs.ts';
import { soon } from './soon.ts';
import type { SharedStack } from './test-stack.ts';

/** What the browser complained of: errors, and violations of the content security policy. */
const listen = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(`${line.text()} ${line.location().url}`);
  });
  return complaints;
};

/** A person's tab. */
export const openTab = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Asia/Dhaka',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  return { page, context, complaints: listen(page) };
};

/**
 * The tests of a file are journeys in one tab. After one has failed, the others are skipped: each would wait long for what it does not find
 * there. Routes end with the test that made them.
 */
export const inOneTab = (browser: () => Browser | undefined): void => {
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(!browser(), 'no browser on this machine');
    skip(hasFailed, 'a journey before it has failed in the same tab');
    onTestFailed(() => {
      hasFailed = true;
    });
  });
  afterEach(async () => {
    const pages =
      browser()
        ?.contexts()
        .flatMap((context) => context.pages()) ?? [];
    await Promise.all(pages.map((page) => page.unrouteAll()));
  });
};

/** A journey that `npm run test:long` makes: a rarer one, or one whose rule others prove too, in another form or list. */
export const itInFull = it.runIf(inFull);

export const until = <T>(read: () => T | Promise<T>) => expect.poll(read, soon);

/** How tall the tallest text is in a column of a list. */
export const textHeightIn = (tab: Page, label: string): Promise<number> =>
  tab.evaluate(`Math.max(...[...document.querySelectorAll('td[data-label=${label}]')].map((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getBoundingClientRect().height;
  }))`);

/** Waits in the page, which costs less than asking it every 100 ms. */
const quiet = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('.loading, [aria-busy=true]')) return;
    observer.disconnect();
    resolve(true);
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  look();
})`;

/** Nothing is being loaded any more. A page that is loaded anew meanwhile is asked again. */
export const settled = (page: Page): Promise<void> => until(() => page.evaluate(quiet)).toBe(true);

/** The screen does not scroll sideways at 360 pixels. */
export const expectNarrow = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.setViewportSize({ width: 1280, height: 860 });
};

/** Browsers whose navigation was checked. */
const checked = new WeakSet<Browser>();

/** What is new on a screen: the navigation is the same on all, and nothing behind a dialog can be reached. */
const newPart = async (page: Page): Promise<string> => {
  const browser = page.context().browser();
  const hasShell = (await page.locator('.shell:has(.menu[aria-expanded=false])').count()) > 0;
  if (!browser || !hasShell) return 'html';
  if (!checked.has(browser)) {
    checked.add(browser);
    return 'html';
  }
  return (await page.locator('dialog').count()) > 0 ? 'dialog, .toasts' : 'main, .toasts';
};

/** Checks what must hold on every screen, once for each: no violation in light or dark, and no sideways scrolling at 360 pixels. */
export const expectGood = async (page: Page): Promise<void> => {
  await settled(page);
  const part = await newPart(page);
  expect(await violationsOn(page, 'all', part)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOn(page, 'contrasts', part)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNarrow(page);
};

/** Follows a link to another screen in the page that is open. Returns whether it led there: text that is not saved keeps the screen. */
const follow = (page: Page, url: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const [to, shell] = [new URL(${JSON.stringify(url)}), document.querySelector('.shell')];
    if (!shell || to.pathname === location.pathname) return false;
    document.activeElement.blur();
    document.querySelector('h1')?.setAttribute('data-former', '');
    const link = shell.appendChild(document.createElement('a'));
    link.href = to.href;
    link.click();
    link.remove();
    return location.href === to.href;
  })()`);

const accountUrl = '**/admin/v1/accounts/*';
/** A member's accounts are read with the person, and need no call of their own. */
export const memberUrl = '**/admin/v1/me';

/**
 * What a person does in a tab: on the screens of an account, and in the dialog that is open. `place`: known once the test file has begun.
 * `knownBy`: what their page reads last of the person and the account; an operator's without it.
 */
export const visiting = (place: () => { readonly page: Page; readonly stack: SharedStack }, knownBy = accountUrl) => {
  const dialog = () => place().page.getByRole('dialog');
  const urlOf = (path: string): string => {
    const { checkoutBaseUrl, accountId } = place().stack.file;
    return `${checkoutBaseUrl}/dashboard/${accountId}${path}`;
  };
  const load = async (path: string): Promise<void> => {
    const { page } = place();
    await page.goto(urlOf(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
  };
  return {
    load,
    /** As a person does who works in the page for a while: it is loaded again only where it shows that screen already. */
    open: async (path: string): Promise<void> => {
      const { page } = place();
      // With each screen it reads its person again, and then the account.
      const known = page.waitForResponse(knownBy);
      known.catch(() => undefined);
      if (!(await follow(page, urlOf(path)))) return load(path);
      await page.locator('h1:not([data-former])').waitFor();
      await known;
      await settled(page);
    },
    /** Types into the search of a list, and waits for its answer: the rows move, and a click would miss them. */
    search: async (text: string): Promise<void> => {
      const { page } = place();
      const answered = page.waitForResponse((answer) => answer.url().includes(encodeURIComponent(text)));
      await page.keyboard.press('Control+K');
      await page.keyboard.type(text);
      await (await answered).finished();
      await settled(page);
    },
    press: (name: string | RegExp): Promise<void> => place().page.getByRole('button', { name }).first().click(),
    dialog,
    /** The button whose whole name it is, if it is a text. */
    pressInDialog: (name: string | RegExp): Promise<void> =>
      dialog()
        .getByRole('button', { name, exact: typeof name === 'string' })
        .click(),
    /** What the form says beside the field with this label. */
    faultOf: (label: string): Promise<string> => {
      const { page } = place();
      const field = page.locator('.field').filter({ has: page.getByLabel(label) });
      return field.locator('.fault').innerText();
    },
    fill: (label: string | RegExp, text: string): Promise<void> => place().page.getByLabel(label).last().fill(text),
    says: (text: string | RegExp): Promise<void> => place().page.getByText(text).first().waitFor(),
  };
};

/** The server acts on each POST to this URL, and its answers are lost. */
export const losingAnswersOn =
  (pageOf: () => Page) =>
  async (url: string, act: () => Promise<void>): Promise<void> => {
    const page = pageOf();
    await page.route(url, async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await act();
    await page.unroute(url);
  };

/** The text of a file that the page lets the person download. */
export const downloaded = async (page: Page, act: () => Promise<void>): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return readFileSync(await download.path(), 'utf8');
};

/** The newest sign-in link in the inbox of this address. */
export const linkMailedTo = async ({ file }: SharedStack, address: string): Promise<string> => {
  const read = async () => (await fetch(`${file.inboxUrl}/store?to=${encodeURIComponent(address)}`)).text();
  const links = async () => (await read()).match(/https?:[^\s"\\<>]*\/dashboard\/sign-in\/[\w-]+/g) ?? [];
  await until(async () => (await links()).length).toBeGreaterThan(0);
  return (await links()).at(-1) ?? '';
};
