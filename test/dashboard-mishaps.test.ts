import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localClient } from '../infra/local/local-client.ts';
import { newId } from '../shared/kit/id.ts';
import { startBrowser } from './browser.ts';
import { downloaded, linkMailedTo, openTab, settled, until } from './dashboard-visit.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

let stack: SharedStack;
let browser: Browser | undefined;
let page: Page;

beforeAll(async () => {
  stack = await shareTestStack();
  browser = await startBrowser();
  if (!browser) return;
  page = (await openTab(browser)).page;
  await page.goto(stack.file.dashboardLoginUrl);
  return () => browser?.close();
});
beforeEach(({ skip }) => skip(!browser, 'no browser on this machine'));

const open = async (path: string): Promise<void> => {
  await page.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
};
const press = (name: string | RegExp): Promise<void> => page.getByRole('button', { name }).first().click();
const dialog = () => page.getByRole('dialog');
const pressInDialog = (name: string): Promise<void> => dialog().getByRole('button', { name, exact: true }).click();

/** The server acts on each POST to this URL, and its answers are lost. */
const losingAnswers = async (url: string, act: () => Promise<void>): Promise<void> => {
  await page.route(url, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await act();
  await page.unroute(url);
};

describe('the dashboard when something goes wrong, in Chromium', () => {
  it('sends a message once when a person sends it again after its answer was lost', async () => {
    await open('/messages');
    await press('Send a message');
    await dialog().getByLabel('Email address').fill('once@example.com');
    await dialog().getByLabel('Subject').fill('Hello');
    await dialog().getByLabel('Text').fill('It works.');
    await losingAnswers('**/api/v1/messages', async () => {
      await pressInDialog('Send');
      await dialog().getByRole('alert').waitFor();
    });
    await pressInDialog('Send');
    await page.getByRole('heading', { name: 'once@example.com' }).waitFor();
    const { body } = await stack.api('GET', '/messages?to=once@example.com');
    expect(body.data).toHaveLength(1);
  });

  it('adds a contact and makes a template once when a person tries again after the answer was lost', async () => {
    await open('/contacts');
    await press('Add contact');
    await dialog().getByLabel('Email address').fill('once-added@example.com');
    await losingAnswers('**/api/v1/contacts', async () => {
      await pressInDialog('Add contact');
      await dialog().getByRole('alert').waitFor();
    });
    await pressInDialog('Add contact');
    await page.getByRole('heading', { name: 'once-added@example.com' }).waitFor();

    await open('/templates/new');
    await page.getByLabel('Name').fill('Only one');
    await page.getByLabel('Subject').fill('Hello');
    await page.getByLabel('Text').fill('It works.');
    await losingAnswers('**/api/v1/templates', async () => {
      await press('Create template');
      await page.getByRole('alert').waitFor();
    });
    await press('Create template');
    await page.getByRole('heading', { name: 'Only one', level: 1 }).waitFor();
    const { body } = await stack.api('GET', '/templates');
    expect(body.data.filter(({ name }: { name: string }) => name === 'Only one')).toHaveLength(1);
  });

  it('keeps a dialog open where a selection of its text ends beside it, and when the button that opens it is clicked twice', async () => {
    await open('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).first().dblclick({ delay: 50 });
    await dialog().getByLabel('Name').fill('Shown once');
    await pressInDialog('Create key');
    const box = await dialog().locator('.secret code').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 5);
    await page.mouse.down();
    await page.mouse.move(5, 5, { steps: 4 });
    await page.mouse.up();
    expect(await dialog().locator('.secret code').innerText()).toMatch(/^mk_/);
    await page.mouse.click(5, 5);
    await dialog().waitFor({ state: 'detached' });
  });

  it('says beside its field what is wrong with one value of a list in a group', async () => {
    await open('/settings');
    const group = page.getByRole('region', { name: 'When messages may be sent' });
    await group.getByLabel('Keep quiet hours').check();
    await group.getByLabel('In countries').fill('BD, Nowhere');
    await group.getByRole('button', { name: 'Save' }).click();
    await group.getByRole('alert').waitFor();
    const field = group.locator('.field').filter({ has: page.getByLabel('In countries') });
    expect(await field.locator('.fault').innerText()).toContain('must be an ISO 3166 country code');
  });

  it('says that an import stopped in the middle, and takes the same file again', async () => {
    await open('/contacts/import');
    let calls = 0;
    await page.route('**/contacts/bulk', (route) => {
      calls += 1;
      return calls === 1 ? route.continue() : route.abort();
    });
    const rows = ['email', ...Array.from({ length: 300 }, (_, n) => `stopped-${n}@example.com`)].join('\n');
    const file = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) };
    const input = page.getByLabel('CSV file');
    await input.setInputFiles(file);
    await page.getByText('The import stopped after 250 of 300 rows.').waitFor();
    await page.unroute('**/contacts/bulk');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), input.click()]);
    // A browser says nothing of a file that is chosen already.
    expect(await input.inputValue()).toBe('');
    await chooser.setFiles(file);
    await page.getByText('The import is complete.').waitFor();
    await page.getByText('50 created').waitFor();
  });

  it('exports anew what other filters leave', async () => {
    for (const to of ['one@example.com', 'other@example.com'])
      await stack.api('POST', '/messages', { channel: 'email', to, subject: 'Hi', text: 'Hi' });
    await open('/messages?to=one%40example.com');
    await press('Export');
    await page.getByRole('link', { name: 'Download 1 row' }).waitFor();
    await page.getByLabel('Recipient').fill('other@example.com');
    await page.waitForURL(/to=other/);
    await press('Export');
    const link = page.getByRole('link', { name: 'Download 1 row' });
    await link.waitFor();
    const csv = await downloaded(page, () => link.click());
    expect(csv).toContain('other@example.com');
    expect(csv).not.toContain('one@example.com');
  });

  it('shows no rows of other filters where a list cannot be read', async () => {
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
  });

  it('leads a person whose session has ended to the sign-in, by its title and the focus', async () => {
    const { page: ended, context } = await openTab(browser as Browser);
    const focused = () => ended.evaluate('document.activeElement.textContent');
    await ended.goto(stack.file.dashboardLoginUrl);
    await ended.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/contacts`);
    await ended.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    await settled(ended);
    await context.clearCookies();
    await ended.getByRole('link', { name: 'Members' }).click();
    await ended.getByRole('heading', { name: 'Sign in' }).waitFor();
    await ended.getByText('Your session has ended').waitFor();
    await until(() => ended.title()).toBe('Sign in');
    await until(focused).toBe('Sign in');
    await ended.getByLabel('Email address').fill('nobody@example.com');
    await ended.getByRole('button', { name: 'Email me a link' }).click();
    await until(focused).toBe('Check your email');
    await context.close();
  });

  it('shows a page that the browser kept only to the person who is signed in still', async () => {
    const { page: kept, context } = await openTab(browser as Browser);
    const comeBack = () => kept.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    const heading = (name: string) => kept.getByRole('heading', { name, level: 1 });
    await kept.goto(stack.file.dashboardLoginUrl);
    await kept.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/contacts`);
    await heading('Contacts').waitFor();
    await settled(kept);
    await kept.getByLabel('Search').fill('typed');
    await comeBack();
    await until(() => kept.locator('body').isVisible()).toBe(true);
    expect(await kept.getByLabel('Search').inputValue()).toBe('typed');
    await context.clearCookies();
    await comeBack();
    await heading('Sign in').waitFor();
    await context.close();
  });

  it('has all of a long dialog on the screen of a phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await open('/messages');
    await press('Send a message');
    await dialog().getByLabel('Text').waitFor();
    const box = await dialog().boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(640);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('keeps long words of merchants and people within the narrowest screen, and names within their dialogs', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    const { file, admin } = stack;
    const widths = () =>
      page.evaluate('[document.documentElement, ...document.querySelectorAll("dialog")].map((e) => e.scrollWidth)');
    const { body } = await request(
      `${file.checkoutBaseUrl}/v1/checkout-sessions`,
      'POST',
      { authorization: `Bearer ${file.keys.checkoutSecretTest}` },
      { amountMinor: 999_999_999_999, currency: 'BDT', description: 'x'.repeat(200) },
    );
    await open(`/checkout-sessions/${body.data.id}?mode=test`);
    expect(await widths()).toEqual([320]);
    await open('/templates/new');
    await page.getByLabel('Subject').fill(`{{${'x'.repeat(60)}}}`);
    await page.getByLabel('x'.repeat(60)).waitFor();
    expect(await widths()).toEqual([320]);
    await admin('POST', `/accounts/${file.accountId}/api-keys`, { name: 'x'.repeat(100), scopes: ['messages:send'] });
    await open('/api-keys');
    await press(/^Revoke\s+xxx/);
    await dialog().waitFor();
    expect(await widths()).toEqual([320, 284]);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('shows all that a cell has beside its label on a phone', async () => {
    const { body } = await stack.api('POST', '/contacts', { email: 'tags@example.com', tags: ['vip', 'partner'] });
    expect(body.data.tags).toEqual(['vip', 'partner']);
    await page.setViewportSize({ width: 360, height: 640 });
    await open('/contacts?search=tags%40example.com');
    const places = await page
      .locator('[data-label=Tags] .tag')
      .evaluateAll((tags) => tags.map((tag) => tag.getBoundingClientRect()).map(({ x, y }) => ({ x, y })));
    expect(places.map(({ y }) => y)).toEqual([places[0]?.y, places[0]?.y]);
    expect(places[0]?.x).toBeLessThan(places[1]?.x ?? 0);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('sends a delivery again once when its button is clicked twice', async () => {
    const calls: string[] = [];
    const note = (call: { url(): string }): unknown => call.url().endsWith('/resend') && calls.push(call.url());
    const hook = { name: 'Twice', url: 'http://127.0.0.1:9/hooks', events: ['message.sent'] };
    const { body } = await stack.api('POST', '/webhooks', hook);
    await stack.api('POST', '/messages', { channel: 'email', to: 'twice@example.com', subject: 'Hi', text: 'Hi' });
    await open(`/webhooks/${body.data.webhook.id}`);
    const resend = page.getByRole('button', { name: 'Resend', exact: true });
    await until(async () => {
      await press('Refresh');
      await settled(page);
      return resend.count();
    }).toBe(1);
    page.on('request', note);
    await resend.dblclick();
    await page.getByText('The delivery will be sent again').waitFor();
    page.off('request', note);
    expect(calls).toHaveLength(1);
    await stack.api('DELETE', `/webhooks/${body.data.webhook.id}`);
  });

  it('says to a screen reader what a filter of a list has found', async () => {
    await open('/messages?to=nobody-at-all%40example.com');
    await page.getByRole('status').getByText('Messages: 0 shown').waitFor({ state: 'attached' });
  });

  it('keeps the mode of a link to a live payment for the screens after it', async () => {
    await open('/payments?mode=live');
    await page.getByRole('link', { name: 'Refunds' }).click();
    await page.getByRole('heading', { name: 'Refunds', level: 1 }).waitFor();
    expect(await page.getByLabel('Live').isChecked()).toBe(true);
    await open('/payments?mode=test');
  });

  it('opens a screen by the new release when a deployment has replaced the one of the page', async () => {
    const assets = '**/dashboard/assets/';
    const [, main = ''] =
      /assets\/(main-\w+)\.js/.exec(await (await fetch(`${stack.file.checkoutBaseUrl}/dashboard`)).text()) ?? [];
    await page.route('**/dashboard/*/messages', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(main, 'main-former') });
    });
    await page.route(`${assets}main-former.js`, async (route) =>
      route.fulfill({ response: await route.fetch({ url: route.request().url().replace('main-former', main) }) }),
    );
    await open('/messages');
    await page.unrouteAll();
    await page.route(`${assets}*.js`, (route) => route.fulfill({ status: 404 }));
    await page.route('**/dashboard/*/templates', async (route) => {
      await page.unroute(`${assets}*.js`);
      await route.continue();
    });
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    await page.unrouteAll();
  });

  it('says that the server cannot be reached when a screen cannot be loaded, and loads it again', async () => {
    await open('/messages');
    await page.route('**/dashboard/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await page.unrouteAll();
    await press('Try again');
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  });

  it('says that the templates for a message could not be read, and reads them again', async () => {
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

  it('refunds once when a person goes back after a lost answer and asks again, and keeps what was typed', async () => {
    const v1 = `${stack.file.checkoutBaseUrl}/v1`;
    const headers = { authorization: `Bearer ${stack.file.keys.checkoutSecretTest}` };
    const wanted = { amountMinor: 50_000, currency: 'BDT' };
    const { data: session } = (await request(`${v1}/checkout-sessions`, 'POST', headers, wanted)).body;
    const [{ acceptanceMethodId }] = session.eligibleMethods;
    const pay = `${v1}/public/checkout-sessions/${session.id}/payments`;
    const { data: paid } = (await request(pay, 'POST', {}, { acceptanceMethodId })).body;
    const payment = async () => (await request(`${v1}/payments/${paid.paymentId}`, 'GET', headers)).body.data;
    await until(async () => (await payment()).status).toBe('SUCCEEDED');
    await open(`/payments/${paid.paymentId}?mode=test`);
    await press('Refund');
    await dialog().getByLabel('Amount in BDT').fill('120.50');
    await pressInDialog('Continue');
    await losingAnswers('**/refunds', async () => {
      await dialog()
        .getByRole('button', { name: /^Refund/ })
        .click();
      await dialog().getByRole('alert').waitFor();
    });
    await pressInDialog('Cancel');
    expect(await dialog().getByLabel('Amount in BDT').inputValue()).toBe('120.50');
    await pressInDialog('Continue');
    await dialog()
      .getByRole('button', { name: /^Refund/ })
      .click();
    await page.getByText('379.50').waitFor();
    expect((await payment()).refundedMinor).toBe(12_050);
  });

  it('keeps the focus in a list when the button that had it is gone', async () => {
    await stack.admin('POST', `/accounts/${stack.file.accountId}/api-keys`, {
      name: 'Gone',
      scopes: ['messages:send'],
    });
    await open('/api-keys');
    await page.getByRole('button', { name: /^Revoke\s+Gone/ }).press('Enter');
    await dialog().getByRole('button', { name: 'Revoke key' }).press('Enter');
    await until(() => page.getByRole('button', { name: /^Revoke\s+Gone/ }).count()).toBe(0);
    await until(() => page.evaluate('document.activeElement.ariaLabel')).toBe('API keys');
  });

  it('keeps the focus in a list whose new rows come before the next frame', async () => {
    await stack.admin('POST', `/accounts/${stack.file.accountId}/api-keys`, {
      name: 'Fast',
      scopes: ['messages:send'],
    });
    const { page: fast, context } = await openTab(browser as Browser);
    await fast.clock.install();
    await fast.goto(stack.file.dashboardLoginUrl);
    await fast.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/api-keys`);
    const revoke = fast.getByRole('button', { name: /^Revoke\s+Fast/ });
    await revoke.press('Enter');
    const confirm = fast.getByRole('button', { name: 'Revoke key' });
    await confirm.waitFor();
    // No frame is drawn, and no timer runs, until the new rows are there.
    await fast.clock.pauseAt(Date.now() + 60_000);
    await confirm.press('Enter');
    await until(() => revoke.count()).toBe(0);
    await fast.clock.resume();
    await until(() => fast.evaluate('document.activeElement.ariaLabel')).toBe('API keys');
    await context.close();
  });

  it('keeps the words of a message while a person looks at a template or another channel', async () => {
    await stack.api('POST', '/templates', { name: 'Looked at', channel: 'email', subject: 'Hi', textContent: 'Hi' });
    await open('/messages');
    await press('Send a message');
    await dialog().getByLabel('Subject').fill('My subject');
    await dialog().getByLabel('Text').fill('My words');
    await dialog().getByLabel('Template').selectOption({ label: 'Looked at (en)' });
    await dialog().getByLabel('Text').waitFor({ state: 'detached' });
    await dialog().getByLabel('Template').selectOption({ label: 'None' });
    await dialog().getByLabel('Channel').selectOption('sms');
    await dialog().getByLabel('Channel').selectOption('email');
    expect(await dialog().getByLabel('Subject').inputValue()).toBe('My subject');
    expect(await dialog().getByLabel('Text').inputValue()).toBe('My words');
    await page.keyboard.press('Escape');
  });

  it('keeps what was typed when the session has ended before a form is sent', async () => {
    const { page: ended, context } = await openTab(browser as Browser);
    await ended.goto(stack.file.dashboardLoginUrl);
    await ended.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/members`);
    await ended.getByRole('button', { name: 'Invite a member' }).click();
    await ended.getByLabel('Email address').fill('typed@example.com');
    await context.clearCookies();
    await ended.getByRole('button', { name: 'Invite', exact: true }).click();
    await ended.getByRole('alert').getByRole('link', { name: 'Sign in in another tab' }).waitFor();
    expect(await ended.getByLabel('Email address').inputValue()).toBe('typed@example.com');
    const other = await context.newPage();
    await other.goto(stack.file.dashboardLoginUrl);
    await ended.getByRole('button', { name: 'Invite', exact: true }).click();
    await ended.getByText('typed@example.com was invited').waitFor();
    await context.close();
  });

  it('opens the screen where a session ended for its person only', async () => {
    const { accountId, checkoutBaseUrl, dashboardLoginUrl } = stack.file;
    const address = `next-${accountId}@example.com`;
    await stack.admin('POST', `/accounts/${accountId}/members`, { email: address, role: 'viewer' });
    const { page: ended, context } = await openTab(browser as Browser);
    const { name } = (await stack.admin('GET', `/accounts/${accountId}`)).body.data;
    for (const [isSame, heading] of [
      [true, 'Members'],
      [false, name],
    ]) {
      await ended.goto(dashboardLoginUrl);
      await ended.goto(`${checkoutBaseUrl}/dashboard/${accountId}/contacts`);
      await ended.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
      await settled(ended);
      await context.clearCookies();
      await ended.getByRole('link', { name: 'Members' }).click();
      await ended.getByRole('heading', { name: 'Sign in' }).waitFor();
      if (!isSame) await request(`${checkoutBaseUrl}/dashboard/sign-in`, 'POST', {}, { email: address });
      await ended.goto(isSame ? dashboardLoginUrl : await linkMailedTo(stack, address));
      await ended.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await context.close();
  });

  it('shows what was made when the answer with its secret was lost, and says what to do', async () => {
    for (const [screen, url, action] of [
      ['/api-keys', '**/api-keys', 'Create key'],
      ['/checkout-keys', '**/checkout-keys', 'Create key'],
      ['/webhooks', '**/api/v1/webhooks', 'Add webhook'],
      ['/checkout-webhooks', '**/checkout-webhooks', 'Add webhook'],
      ['/../operator-tokens', '**/operator-tokens', 'Create token'],
      ['/../accounts', '**/admin/v1/accounts', 'Create account'],
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
    }
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
    await page.unroute('**/api-keys');
  });

  it('does not call the recipient of a campaign’s message removed', async () => {
    const sqs = new SQSClient(localClient(stack.file.aws['sqs'] ?? ''));
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    const QueueUrl = QueueUrls.find((url) => /account.?traffic(?!.?dead)/i.test(url));
    const sent = { account: stack.file.accountId, id: newId(Date.now()), origin: 'campaign', channel: 'whatsapp' };
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ ...sent, status: 'failed' }) }));
    sqs.destroy();
    await until(async () => (await stack.api('GET', `/messages/${sent.id}`)).status).toBe(200);
    await open('/messages?channel=whatsapp');
    await page.getByRole('link', { name: 'Not stored' }).waitFor();
    await open('');
    await page.getByRole('link', { name: 'Not stored' }).waitFor();
  });

  it('changes only the settings that were changed in this tab', async () => {
    const path = `/accounts/${stack.file.accountId}`;
    const before = (await stack.admin('GET', path)).body.data;
    await open('/settings');
    await stack.admin('PATCH', path, {
      adminEmails: ['other-tab@example.com'],
      email: { listUnsubscribe: !before.email.listUnsubscribe },
      frequencyCap: { max: 7, windowSeconds: 60 },
    });
    for (const [title, change] of [
      ['General', (group: Locator) => group.getByLabel('Name').fill('Of this tab')],
      ['Email', (group: Locator) => group.getByLabel('Sender name').fill('Of this tab')],
      ['When messages may be sent', (group: Locator) => group.getByLabel('Block sends').check()],
    ] as const) {
      const group = page.getByRole('region', { name: title });
      await change(group);
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await group.getByRole('button', { name: 'Save' }).click();
      expect((await saved).status()).toBe(200);
    }
    const { adminEmails, name, email, frequencyCap, suppressions } = (await stack.admin('GET', path)).body.data;
    expect({ adminEmails, name, frequencyCap, suppressions }).toEqual({
      adminEmails: ['other-tab@example.com'],
      name: 'Of this tab',
      frequencyCap: { max: 7, windowSeconds: 60 },
      suppressions: 'enforced',
    });
    expect(email).toMatchObject({ fromName: 'Of this tab', listUnsubscribe: !before.email.listUnsubscribe });
    const { status } = await stack.admin('PATCH', path, {
      name: before.name,
      adminEmails: before.adminEmails,
      email: before.email,
      frequencyCap: before.frequencyCap,
      suppressions: before.suppressions,
    });
    expect(status).toBe(200);
  });

  it('says beside its field what is wrong with one of several methods, and beside both where one of two is required', async () => {
    const faultOf = (label: string) =>
      page
        .locator('.field')
        .filter({ has: page.getByLabel(label) })
        .locator('.fault')
        .innerText();
    await open('/templates/new');
    await page.getByLabel('Name').fill('Empty');
    await page.getByLabel('Subject').fill('Hello');
    await press('Create template');
    await page.getByRole('alert').waitFor();
    expect(await faultOf('HTML')).toBe('at least one is required');
    expect(await faultOf('Text')).toBe('at least one is required');

    await open('/methods?mode=test');
    await press('Add method');
    await dialog().getByLabel('Label').fill('x'.repeat(200));
    await pressInDialog('Add method');
    await dialog().getByRole('alert').waitFor();
    expect(await faultOf('Label')).toContain('100');
    await page.keyboard.press('Escape');
  });

  it('says beside its field what is wrong with the name of a placeholder', async () => {
    await open('/templates/new');
    await page.getByLabel('Name').fill('Nameless');
    await page.getByLabel('Subject').fill('Hello {{name}}');
    await page.getByLabel('Text').fill('It works, {{}}.');
    await press('Create template');
    await page.getByRole('alert').waitFor();
    const field = page.locator('.field').filter({ has: page.getByLabel('Text') });
    expect(await field.locator('.fault').innerText()).toBe('{{}} must be a name without braces');
  });
});
