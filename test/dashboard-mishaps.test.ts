import type { Browser, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startBrowser } from './browser.ts';
import {
  downloaded,
  expectGood,
  inOneTab,
  itInFull,
  linkMailedTo,
  losingAnswersOn,
  openTab,
  settled,
  until,
  visiting,
} from './dashboard-visit.ts';
import { inFull } from './model-runs.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

let stack: SharedStack;
let browser: Browser | undefined;
let page: Page;
let clocked: Page | undefined;

beforeAll(async () => {
  stack = await shareTestStack();
  browser = await startBrowser();
  if (!browser) return;
  page = (await openTab(browser)).page;
  await page.goto(stack.file.dashboardLoginUrl);
  return () => browser?.close();
});
inOneTab(() => browser);

const { open, load, press, dialog, pressInDialog, fill, says } = visiting(() => ({ page, stack }));

/** A tab with cookies of its own, in the session of the first one. */
const openSignedIn = async () => openTab(browser as Browser, { storageState: await page.context().storageState() });

/** Takes the session from the tab until the test has finished. */
const endSession = async (): Promise<void> => {
  const cookies = await page.context().cookies();
  onTestFinished(async () => {
    await page.context().addCookies(cookies);
    // The screen that their next sign-in would lead to.
    await page.evaluate('localStorage.clear()');
  });
  await page.context().clearCookies();
};

/** A tab of the session whose clock goes as tests want. */
const openClocked = async (): Promise<Page> => {
  if (clocked) return clocked;
  clocked = (await openSignedIn()).page;
  await clocked.clock.install();
  return clocked;
};

/** The part of the dashboard that has its screens. */
const screensUrl = '**/dashboard/assets/all-screens-*.js';

const losingAnswers = losingAnswersOn(() => page);

/** Takes from a page what Chromium 111, Firefox 115 and Safari 16.4 lack, which the dashboard is built for. */
const youngerThanTarget = `
  delete AbortSignal.any;
  delete URLSearchParams.prototype.size;
  delete URL.canParse;
  for (const name of ['withResolvers', 'try']) delete Promise[name];
  for (const grouping of [Object, Map]) delete grouping.groupBy;
  delete Array.fromAsync;
  for (const name of Object.getOwnPropertyNames(Iterator.prototype)) if (name !== 'constructor') delete Iterator.prototype[name];
  for (const name of Object.getOwnPropertyNames(Element.prototype)) if (name.startsWith('aria')) delete Element.prototype[name];
  for (const name of ['union', 'intersection', 'difference', 'isSubsetOf', 'isDisjointFrom']) delete Set.prototype[name];
  BeforeUnloadEvent.prototype.preventDefault = () => undefined;
`;

describe('the dashboard when something goes wrong, in Chromium', () => {
  it('works in the oldest browsers that it is built for: it reads, filters, sends, and asks before text is lost', async () => {
    const { page: tab, context, complaints } = await openSignedIn();
    await context.addInitScript(youngerThanTarget);
    await tab.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/contacts`);
    await tab.getByLabel('Status').selectOption({ index: 1 });
    await tab.waitForURL('**/contacts?status=*');
    await tab.getByRole('button', { name: 'Clear filters' }).click();
    await tab.waitForURL('**/contacts');
    await tab.getByRole('button', { name: 'Add contact' }).first().click();
    const form = tab.getByRole('dialog');
    await form.getByLabel('Email address').fill('old-browser@example.com');
    const asked: string[] = [];
    tab.on('dialog', async (question) => {
      asked.push(question.type());
      await question.dismiss();
    });
    await tab.evaluate('location.reload()');
    await until(() => asked).toEqual(['beforeunload']);
    const released = Promise.withResolvers<void>();
    await tab.route('**/api/v1/contacts', async (route) => {
      await released.promise;
      await route.continue();
    });
    await form.getByRole('button', { name: 'Add contact' }).click();
    await tab.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    released.resolve();
    await tab.getByText('The contact was added').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says that there is a bug where there is one, and not that the server cannot be reached', async () => {
    await open('/contacts');
    await page.evaluate('crypto.randomUUID = undefined');
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('alert').getByText('is not a function').waitFor();
    expect(await page.getByText('cannot be reached').count()).toBe(0);
  });

  it('says that the server cannot be reached when the screens cannot be loaded, and loads them again', async () => {
    await page.route(screensUrl, (route) => route.abort());
    await load('/templates');
    await says('The server cannot be reached');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This page cannot be opened');
    await page.route('**/dashboard', (route) => route.abort());
    const asked = page.waitForRequest('**/dashboard');
    await press('Try again');
    await asked;
    await says('The server cannot be reached');
    await page.unrouteAll();
    await press('Try again');
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  });

  it('waits for a message with a file as long as a slow line takes to send it, and says after 20 seconds that a list is not answered', async () => {
    const slow = await openClocked();
    await slow.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/messages`);
    await slow.getByRole('button', { name: 'Send a message' }).click();
    const form = slow.getByRole('dialog');
    await form.getByLabel('Email address').fill('slow-line@example.com');
    await form.getByLabel('Subject').fill('Hello');
    await form.getByLabel('Text').fill('It works.');
    const file = { name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(1_000_000) };
    await form.getByLabel('Attachments').setInputFiles(file);
    const arrived = Promise.withResolvers<void>();
    let attempts = 0;
    await slow.route('**/api/v1/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      attempts += 1;
      await arrived.promise;
      await route.continue();
    });
    await form.getByRole('button', { name: 'Send' }).click();
    await until(() => attempts).toBe(1);
    await slow.clock.fastForward(90_000);
    expect(await form.getByText('has not answered').count()).toBe(0);
    arrived.resolve();
    await slow.getByRole('heading', { name: 'slow-line@example.com' }).waitFor();
    expect(attempts).toBe(1);

    let calls = 0;
    await slow.route('**/members*', (route) => {
      calls += 1;
      // The first one is never answered.
      return calls > 1 ? route.continue() : undefined;
    });
    await slow.getByRole('link', { name: 'Members' }).click();
    await until(() => calls).toBe(1);
    await slow.clock.fastForward(20_000);
    await slow.getByRole('alert').getByText('The server has not answered').waitFor();
    await slow.getByRole('button', { name: 'Try again' }).press('Enter');
    await slow
      .getByRole('status')
      .getByText(/^Members: /)
      .waitFor({ state: 'attached' });
  });

  it('adds a contact once when a person tries again after the answer was lost', async () => {
    await open('/contacts');
    await press('Add contact');
    await dialog().getByLabel('Email address').fill('once-added@example.com');
    await losingAnswers('**/api/v1/contacts', async () => {
      await pressInDialog('Add contact');
      await dialog().getByRole('alert').waitFor();
    });
    await pressInDialog('Add contact');
    await page.getByRole('heading', { name: 'once-added@example.com' }).waitFor();
    const { body } = await stack.api('GET', '/contacts?search=once-added%40example.com');
    expect(body.data).toHaveLength(1);
  });

  it('says that a screen cannot be drawn, keeps what surrounds it, and draws it when the person tries again', async () => {
    await page.route('**/api/v1/templates', (route) => route.fulfill({ json: { data: [{ id: '1' }] } }));
    await open('/templates');
    await page.getByRole('heading', { name: 'This page cannot be shown', level: 1 }).waitFor();
    await expectGood(page);
    await page.unroute('**/api/v1/templates');
    await press('Try again');
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    await page.route('**/api/v1/templates', (route) => route.fulfill({ json: { data: [{ id: '1' }] } }));
    await open('/templates');
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  });

  itInFull(
    'says that an import stopped in the middle, keeps the focus and takes no other file until then, and takes the same file again',
    async () => {
      await open('/contacts/import');
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let calls = 0;
      await page.route('**/contacts/bulk', async (route) => {
        calls += 1;
        asked.resolve();
        await answer.promise;
        return calls === 1 ? route.continue() : route.abort();
      });
      const rows = ['email', ...Array.from({ length: 300 }, (_, n) => `stopped-${n}@example.com`)].join('\n');
      const file = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) };
      const input = page.getByLabel('CSV file');
      await input.focus();
      await input.setInputFiles(file);
      await asked.promise;
      await input.setInputFiles({ ...file, buffer: Buffer.from('email\nother@example.com') });
      answer.resolve();
      await page.getByText('The import stopped after 250 of 300 rows.').waitFor();
      expect(await page.evaluate('document.activeElement.type')).toBe('file');
      await page.unroute('**/contacts/bulk');
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), input.click()]);
      // A browser says nothing of a file that is chosen already.
      expect(await input.inputValue()).toBe('');
      await chooser.setFiles(file);
      await page.getByText('The import is complete.').waitFor();
      await page.getByText('50 created').waitFor();
    },
  );

  itInFull(
    'exports once when a person clicks twice, looks again after a look has failed, and exports anew what other filters leave',
    async () => {
      for (const to of ['one@example.com', 'other@example.com'])
        await stack.api('POST', '/messages', { channel: 'email', to, subject: 'Hi', text: 'Hi' });
      await open('/messages?to=one%40example.com');
      const starts: string[] = [];
      const note = (call: { url(): string }): unknown => call.url().includes('/export?') && starts.push(call.url());
      page.on('request', note);
      let looks = 0;
      await page.route('**/messages/exports/*', (route) => {
        looks += 1;
        // One look of the page is three calls.
        return looks > 3 ? route.continue() : route.fulfill({ status: 503, headers: { 'retry-after': '0' } });
      });
      await page.getByRole('button', { name: 'Export' }).dblclick();
      await page.getByRole('link', { name: 'Download 1 row' }).waitFor();
      await page.unroute('**/messages/exports/*');
      page.off('request', note);
      expect(starts).toHaveLength(1);
      await page.getByLabel('Recipient').fill('other@example.com');
      await page.waitForURL(/to=other/);
      await press('Export');
      const link = page.getByRole('link', { name: 'Download 1 row' });
      await link.waitFor();
      const csv = await downloaded(page, () => link.click());
      expect(csv).toContain('other@example.com');
      expect(csv).not.toContain('one@example.com');
    },
  );

  itInFull('says that an export failed, looks no further, and begins another one', async () => {
    const tab = await openClocked();
    await tab.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/messages?channel=email`);
    const looks: string[] = [];
    await tab.route('**/messages/exports/*', async (route) => {
      looks.push(route.request().url());
      if (looks.length > 1) return route.continue();
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { data: { ...data, status: 'failed', url: null, expiresAt: null } } });
    });
    const button = tab.getByRole('button', { name: 'Export', exact: true });
    await button.click();
    await tab.getByText('The export failed. Try it again.').waitFor();
    await tab.clock.fastForward(10_000);
    await button.click();
    await tab.getByRole('link', { name: /Download/ }).waitFor();
    expect(looks.filter((url) => url === looks[0])).toHaveLength(1);
  });

  itInFull('shows no rows of other filters where a list cannot be read', async () => {
    await open('/messages?channel=email');
    expect(await page.getByRole('row').count()).toBeGreaterThan(1);
    const texts = /messages\?.*channel=sms/;
    await page.route(texts, (route) => route.abort());
    await page.getByLabel('Channel').selectOption('sms');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('row').count()).toBe(0);
    await page.unroute(texts);
    await press('Try again');
    await page.getByText('Nothing matches these filters').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Messages');
  });

  it('leads a person whose session has ended to the sign-in, by its title and the focus, shows nothing of the account on the way back, and opens the screen where it ended for this person only', async () => {
    const focused = () => page.evaluate('document.activeElement.textContent');
    const { accountId, checkoutBaseUrl, dashboardLoginUrl } = stack.file;
    const address = `next-${accountId}@example.com`;
    await stack.admin('POST', `/accounts/${accountId}/members`, { email: address, role: 'viewer' });
    const { name } = (await stack.admin('GET', `/accounts/${accountId}`)).body.data;
    const loseSession = async (): Promise<void> => {
      await page.context().clearCookies();
      // On the way back, a late refusal would lead to the sign-in before the page asks who is signed in.
      const refused = page.waitForResponse('**/members');
      await page.getByRole('link', { name: 'Members' }).click();
      await refused;
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    };
    await open('/contacts');
    await loseSession();
    await says('Your session has ended');
    const answer = Promise.withResolvers<void>();
    await page.route('**/v1/**', async (route) => {
      await answer.promise;
      await route.continue();
    });
    await Promise.all([page.waitForRequest('**/v1/**'), page.goBack()]);
    await until(() => page.locator('#app').innerText()).toBe('');
    answer.resolve();
    await says('Your session has ended');
    await page.unrouteAll();
    await until(() => page.title()).toBe('Sign in');
    await until(focused).toBe('Sign in');
    await fill('Email address', 'nobody@example.com');
    await press('Email me a link');
    await until(focused).toBe('Check your email');

    await page.goto(dashboardLoginUrl);
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    await settled(page);
    await loseSession();
    await request(`${checkoutBaseUrl}/dashboard/sign-in`, 'POST', {}, { email: address });
    await page.goto(await linkMailedTo(stack, address));
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.context().clearCookies();
    await page.goto(dashboardLoginUrl);
  });

  it('shows a page that the browser kept only to the person who is signed in still', async () => {
    const comeBack = () => page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await open('/contacts');
    await page.getByLabel('Search').fill('typed');
    await comeBack();
    await until(() => page.locator('body').isVisible()).toBe(true);
    expect(await page.getByLabel('Search').inputValue()).toBe('typed');
    await endSession();
    const loaded = page.waitForEvent('load');
    await comeBack();
    await loaded;
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  });

  it('sends a delivery again once when its button is clicked twice, also when another is sent meanwhile', async () => {
    const calls: string[] = [];
    const answers: string[] = [];
    const noteIn =
      (urls: string[]) =>
      (one: { url(): string }): unknown =>
        one.url().endsWith('/resend') && urls.push(one.url());
    const [note, noteAnswer] = [noteIn(calls), noteIn(answers)];
    const hook = { name: 'Twice', url: 'http://127.0.0.1:9/hooks', events: ['message.sent'] };
    const { body } = await stack.api('POST', '/webhooks', hook);
    for (const to of ['twice@example.com', 'meanwhile@example.com'])
      await stack.api('POST', '/messages', { channel: 'email', to, subject: 'Hi', text: 'Hi' });
    await open(`/webhooks/${body.data.webhook.id}`);
    const resend = page.getByRole('button', { name: /^Resend\s+message/ });
    await until(async () => {
      await press('Refresh');
      await settled(page);
      return resend.count();
    }).toBe(2);
    const answer = Promise.withResolvers<void>();
    await page.route('**/resend', async (route) => {
      await answer.promise;
      await route.continue();
    });
    page.on('request', note);
    page.on('response', noteAnswer);
    await resend.nth(0).dblclick();
    await resend.nth(1).click();
    await until(() => resend.nth(1).getAttribute('aria-disabled')).toBe('true');
    expect(await resend.nth(0).getAttribute('aria-disabled')).toBe('true');
    answer.resolve();
    // Not both messages: the first is gone if the second answer comes seconds later.
    await Promise.all([until(() => answers.length).toBe(2), says('The delivery will be sent again')]);
    page.off('request', note);
    page.off('response', noteAnswer);
    await page.unroute('**/resend');
    expect(new Set(calls).size).toBe(2);
    expect(calls).toHaveLength(2);
    await stack.api('DELETE', `/webhooks/${body.data.webhook.id}`);
  });

  it('takes a held Enter key, and a double click, for one press, and sends no test again after another change', async () => {
    // A call that a busy stack refuses is repeated, with the same key.
    const calls = new Set<string | undefined>();
    const note = (call: Request): unknown =>
      call.url().endsWith('/test') && calls.add(call.headers()['idempotency-key']);
    const hook = { name: 'Held', url: 'http://127.0.0.1:9/hooks', events: ['message.sent'] };
    const { webhook } = (await stack.api('POST', '/webhooks', hook)).body.data;
    await open(`/webhooks/${webhook.id}`);
    const answer = Promise.withResolvers<void>();
    await page.route('**/webhooks/*', async (route) => {
      if (route.request().method() === 'PATCH') await answer.promise;
      await route.fallback();
    });
    await press('Pause');
    await pressInDialog('Pause');
    await pressInDialog('Cancel');
    page.on('request', note);
    await page.getByRole('button', { name: 'Send test' }).focus();
    await page.keyboard.down('Enter');
    await dialog().waitFor();
    for (let times = 0; times < 8; times++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await dialog().getByText('Failed').waitFor();
    expect(calls.size).toBe(1);
    // By a mouse, the second click would miss a button that the first one has moved.
    for (const detail of [1, 2])
      await dialog().getByRole('button', { name: 'Send again' }).dispatchEvent('click', { detail });
    await until(() => calls.size).toBe(2);
    await settled(page);
    answer.resolve();
    await dialog().getByText('The webhook is paused').waitFor();
    await settled(page);
    page.off('request', note);
    expect(calls.size).toBe(2);
    await page.unroute('**/webhooks/*');
    await pressInDialog('Done');
    await stack.api('DELETE', `/webhooks/${webhook.id}`);
  });

  it('is loaded anew when a deployment has replaced its release before its screens came', async () => {
    const [, main = ''] =
      /assets\/(main-\w+)\.js/.exec(await (await fetch(`${stack.file.checkoutBaseUrl}/dashboard`)).text()) ?? [];
    await page.route('**/dashboard/*/messages', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(main, 'main-former') });
    });
    await page.route('**/dashboard/assets/main-former.js', async (route) =>
      route.fulfill({ response: await route.fetch({ url: route.request().url().replace('main-former', main) }) }),
    );
    await page.route(screensUrl, async (route) => {
      await route.fulfill({ status: 404 });
      await page.unroute('**/dashboard/*/messages');
    });
    await page.route('**/dashboard', async (route) => {
      await page.unroute(screensUrl);
      await route.continue();
    });
    const former = page.waitForRequest('**/main-former.js');
    await load('/messages');
    await former;
    await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
    expect(await page.locator('script[src*=main-former]').count()).toBe(0);
  });

  it('says that the page did not load when its program does not come', async () => {
    await page.route('**/dashboard/assets/main-*.js', (route) => route.abort());
    await page.goto(`${stack.file.checkoutBaseUrl}/dashboard`);
    const again = page.getByRole('link', { name: 'Load it again' });
    await again.waitFor();
    await page.unrouteAll();
    await again.click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('.late').count()).toBe(0);
  });

  itInFull('says that the templates for a message could not be read, and reads them again', async () => {
    await stack.api('POST', '/templates', { name: 'Late', channel: 'email', subject: 'Hi', textContent: 'Hi' });
    await open('/messages');
    await page.route('**/api/v1/templates', (route) => route.abort());
    await press('Send a message');
    await dialog().getByRole('alert').waitFor();
    await page.unroute('**/api/v1/templates');
    await pressInDialog('Try again');
    await dialog().getByLabel('Template').selectOption({ label: 'Late (en)' });
    await page.keyboard.press('Escape');
  });

  itInFull('keeps what was typed when the session has ended and something else on the screen is read', async () => {
    await open('/templates/new');
    await fill('Text', 'Typed for an hour');
    await endSession();
    await press('Switch account');
    await dialog().getByText('Your session has ended.').waitFor();
    await expectGood(page);
    await pressInDialog('Close');
    expect(await page.getByLabel('Text').inputValue()).toBe('Typed for an hour');
  });

  it('shows what was made when the answer with its secret was lost, says what to do, and shows these lists to all eyes and on a phone', async () => {
    const isSeenElsewhere = ['/api-keys', '/checkout-keys', '/webhooks'];
    const alike = [
      ['/checkout-keys', '**/checkout-keys', 'Create key'],
      ['/webhooks', '**/api/v1/webhooks', 'Add webhook'],
    ] as const;
    for (const [screen, url, action] of [
      ...(inFull ? alike : []),
      ['/api-keys', '**/api-keys', 'Create key'],
      ['/checkout-webhooks', '**/checkout-webhooks', 'Add webhook'],
      ['/../operator-tokens', '**/operator-tokens', 'Create token'],
      // Other test files make accounts too, and new ones are on the last page.
      ['/../accounts?search=Lost', '**/admin/v1/accounts', 'Create account'],
    ] as const) {
      await open(screen);
      await press(action);
      const name = `Lost ${screen}`;
      await dialog().getByLabel('Name').fill(name);
      if (action === 'Add webhook') await dialog().getByLabel('URL').fill('https://example.com/hooks');
      await losingAnswers(url, async () => {
        await pressInDialog(action);
        await dialog().getByRole('alert').getByText('in the list').waitFor();
      });
      await page.keyboard.press('Escape');
      await page.getByRole('row', { name }).waitFor();
      if (!isSeenElsewhere.includes(screen)) await expectGood(page);
    }
  });

  it('says that a change may have been made when its answer was lost, reads the list again, and keeps what was typed without a connection, and when the session has ended', async () => {
    await open('/members');
    await press('Invite a member');
    await dialog().getByLabel('Email address').fill('lost-invite@example.com');
    const failed: string[] = [];
    await page.route('**/admin/v1/**', async (route) => {
      await route.abort();
      failed.push(new URL(route.request().url()).pathname);
    });
    await pressInDialog('Invite');
    await until(() => failed.filter((path) => path.endsWith('/me')).length).toBe(3);
    await settled(page);
    await page.unrouteAll();
    expect(await dialog().getByLabel('Email address').inputValue()).toBe('lost-invite@example.com');
    await losingAnswers('**/members', async () => {
      await pressInDialog('Invite');
      await dialog().getByRole('alert').getByText('may have been done').waitFor();
    });
    await page.locator('tbody').getByText('lost-invite@example.com').first().waitFor();
    await page.keyboard.press('Escape');
    await pressInDialog('Discard changes');
    await until(() => dialog().count()).toBe(0);

    await press('Invite a member');
    await fill('Email address', 'typed@example.com');
    await page.context().clearCookies();
    await pressInDialog('Invite');
    await page.getByRole('alert').getByRole('link', { name: 'Sign in in another tab' }).waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('typed@example.com');
    const other = await page.context().newPage();
    await other.goto(stack.file.dashboardLoginUrl);
    await pressInDialog('Invite');
    await says('typed@example.com was invited');
    await other.close();
  });

  it('says that a key was made when its dialog was closed before the answer came', async () => {
    await open('/api-keys');
    const closed = Promise.withResolvers<void>();
    const isMade = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/api-keys'));
    await page.route('**/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      const response = await route.fetch();
      await closed.promise;
      await route.fulfill({ response });
    });
    await press('Create key');
    await dialog().getByLabel('Name').fill('Closed early');
    await pressInDialog('Create key');
    await isMade;
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    closed.resolve();
    await page.getByText('The dialog was closed too early to show the key.').waitFor();
    await page.getByRole('row', { name: 'Closed early' }).waitFor();
  });
});
