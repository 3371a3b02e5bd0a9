import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from './browser.ts';
import {
  downloaded,
  expectGood,
  inOneTab,
  linkMailedTo,
  losingAnswersOn,
  openTab,
  settled,
  until,
  visiting,
} from './dashboard-visit.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

/** A merchant's server, which fails until it is mended. */
const received: string[] = [];
let answer = 500;
const receiver = createServer(async (incoming, response) => {
  received.push(String(incoming.headers['webhook-id']));
  incoming.resume();
  response.writeHead(answer).end(answer === 500 ? 'out of order' : 'thank you');
});

let stack: SharedStack;
let browser: Browser | undefined;
let tab: Awaited<ReturnType<typeof openTab>>;
let page: Page;
let receiverUrl: string;

beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const address = receiver.address();
  receiverUrl = `http://127.0.0.1:${typeof address === 'object' && address?.port}/hooks`;
});
beforeAll(async () => {
  stack = await shareTestStack();
  browser = await startBrowser();
  if (!browser) return;
  tab = await openTab(browser);
  page = tab.page;
  return () => browser?.close();
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
inOneTab(() => browser);

const { open, load, search, press, dialog, pressInDialog, fill, says } = visiting(() => ({ page, stack }));

const losingAnswers = losingAnswersOn(() => page);

/** A date in the person's zone. */
const inDays = (days: number) => page.evaluate(`new Date(Date.now() + ${days} * 86_400_000).toLocaleDateString("sv")`);

/** `npm start` makes this person an operator of the platform. */
const owner = 'owner@example.com';

describe('the dashboard, in Chromium', () => {
  it('says what became of a sign-in form that was sent without scripts, and signs a person in by the link in their mail, which works once, is not used by a preview, and returns to the page that they wanted', async () => {
    const wanted = `${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/messages?channel=sms`;
    const sendForm = (email: string) =>
      page.evaluate(`(() => {
        const form = document.body.appendChild(document.createElement('form'));
        Object.assign(form, { method: 'post', action: '/dashboard/sign-in' });
        form.innerHTML = '<input name="email" value="${email}">';
        form.submit();
      })()`);
    await page.goto(wanted);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await sendForm('nobody');
    await page.getByRole('alert').getByText('Enter an email address.').waitFor();
    await expectGood(page);
    await sendForm('nobody@example.com');
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await press('Use another address');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await fill('Email address', owner);
    await press('Email me a link');
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await expectGood(page);
    const link = await linkMailedTo(stack, owner);
    const previewing = await openTab(browser as Browser, { userAgent: 'Mozilla/5.0 (Windows NT 6.1) Preview/0.5' });
    await previewing.page.goto(link);
    await previewing.page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await expectGood(previewing.page);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
    expect(page.url()).toBe(wanted);
    const [cookie] = await tab.context.cookies();
    expect(cookie).toMatchObject({ name: '__Host-session', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    await previewing.page.getByRole('button', { name: 'Sign in' }).click();
    await previewing.page.getByText('This link has expired or was used already.').waitFor();
    expect(previewing.complaints).toEqual([]);
    await previewing.context.close();
  });

  it('makes an API key, shows it once, and the key sends', async () => {
    await open('/api-keys');
    await press('Create key');
    await fill('Name', 'Shop');
    await pressInDialog('Create key');
    const key = await dialog().locator('.secret code').innerText();
    await expectGood(page);
    await pressInDialog('Done');
    const { status } = await request(
      `${stack.file.apiBaseUrl}/messages`,
      'POST',
      { 'x-api-key': key },
      { channel: 'email', to: 'grace+key@example.com', subject: 'Hello', text: 'It works.' },
    );
    expect(status).toBe(201);
    await says('Shop');
    await expectGood(page);
    await press(/^Revoke\s+Shop/);
    await pressInDialog('Revoke key');
    await says('“Shop” was revoked');
    expect((await request(`${stack.file.apiBaseUrl}/account`, 'GET', { 'x-api-key': key })).status).toBe(401);
  });

  it('shows what a form lacks beside its field and in a summary with the focus', async () => {
    await open('/api-keys');
    await press('Create key');
    await fill('Name', 'Nothing');
    for (const box of await dialog().getByRole('checkbox').all()) await box.uncheck();
    await pressInDialog('Create key');
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().locator('.fault').count()).toBe(1);
    expect(await dialog().getByRole('link', { name: 'invalid_request' }).getAttribute('href')).toBe(
      '/docs/errors#invalid_request',
    );
    await expectGood(page);
    await page.mouse.click(5, 5);
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Nothing');
    await page.keyboard.press('Escape');
    const asked = page.getByRole('dialog', { name: 'Discard your changes?' });
    await asked.getByRole('button', { name: 'Discard changes' }).click();
    await asked.waitFor({ state: 'detached' });
    await dialog().waitFor({ state: 'detached' });
  });

  it('sends a message, once after an answer was lost, finds it by its recipient with the keyboard, and reads its timeline', async () => {
    await open('/messages');
    await press('Send a message');
    await expectGood(page);
    await fill('Email address', 'grace@example.com');
    await fill('Subject', 'Hello');
    await fill('Text', 'It works.');
    await losingAnswers('**/api/v1/messages', async () => {
      await pressInDialog('Send');
      await dialog().getByRole('alert').waitFor();
    });
    await pressInDialog('Send');
    await page.getByRole('heading', { name: 'grace@example.com' }).waitFor();
    await open('/messages');
    await search('grace@example.com');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(page.url()).toMatch(/to=grace%40example\.com/);
    await expectGood(page);
    await page.getByRole('link', { name: 'grace@example.com' }).first().click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.locator('.timeline').getByText('Delivered').waitFor();
    await expectGood(page);
    await page.goBack();
    expect(new URL(page.url()).search).toBe('?to=grace%40example.com');
  });

  it('sends a template with its variables and an attachment, later', async () => {
    const { api } = stack;
    await api('POST', '/templates', {
      name: 'Welcome',
      channel: 'email',
      subject: 'Hello {{name}}',
      textContent: 'Welcome, {{name}}. Your table is {{table}}.',
      variables: ['name'],
    });
    await open('/messages');
    await press('Send a message');
    await page.getByLabel('Template').selectOption({ label: 'Welcome (en)' });
    await fill('Email address', 'linus@example.com');
    await fill('name', 'Linus');
    await fill('table', '7');
    await fill(/^Send at/, `${await inDays(32)}T09:30`);
    await page
      .getByLabel(/^Attachments/)
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('Hi') });
    await expectGood(page);
    await pressInDialog('Send');
    await dialog()
      .getByText(/30 days/)
      .first()
      .waitFor();
    await fill(/^Send at/, `${await inDays(1)}T09:30`);
    await pressInDialog('Send');
    await page.getByRole('heading', { name: 'linus@example.com' }).waitFor();
    await says('Scheduled for');
    await press('Cancel message');
    await pressInDialog('Cancel message');
    await says('The message was cancelled');
  });

  it('exports the messages that the filters leave, and renews the link before it expires', async () => {
    await open('/messages?to=grace%40example.com');
    const exports = /messages\/exports\//;
    const links: string[] = [];
    await page.route(exports, async (route) => {
      const reply = await route.fetch();
      const { data } = (await reply.json()) as { readonly data: { readonly url: string | null } };
      if (data.url !== null) links.push(data.url);
      await route.fulfill({
        response: reply,
        json: { data: { ...data, ...(links.length === 1 && { expiresAt: new Date(0).toISOString() }) } },
      });
    });
    await page.getByRole('button', { name: 'Export' }).press('Enter');
    const link = page.getByRole('link', { name: /^Download 1 row/ });
    await page.getByRole('status').getByText('The file is ready').waitFor();
    await until(() => page.evaluate('document.activeElement.textContent')).toBe('Download 1 row');
    await until(() => links.length).toBe(2);
    await until(() => link.getAttribute('href')).toBe(links[1]);
    expect(links[1]).not.toBe(links[0]);
    await page.unroute(exports);
    expect(await downloaded(page, () => link.click())).toContain('grace@example.com');
    await press('Clear filters');
    await page.getByRole('button', { name: 'Export' }).waitFor();
    expect(await link.count()).toBe(0);
  });

  it('adds a webhook, mends its failing delivery, and replays the day', async () => {
    await open('/webhooks');
    await press('Add webhook');
    await fill('Name', 'Orders');
    await fill('URL', receiverUrl);
    await expectGood(page);
    await pressInDialog('Add webhook');
    expect(await dialog().locator('.secret code').innerText()).toMatch(/^[0-9a-f]{48}$/);
    await pressInDialog('Done');
    await page.getByRole('link', { name: 'Orders' }).click();
    answer = 401;
    await press('Send test');
    await dialog().getByText('A test has only the older signature').waitFor();
    await expectGood(page);
    await pressInDialog('Done');
    answer = 500;
    await stack.api('POST', '/messages', { channel: 'email', to: 'hook@example.com', subject: 'Hi', text: 'Hi' });
    await until(() => received.length).toBeGreaterThan(1);
    // Its five attempts take long on a busy machine; after the first, it can be sent again.
    const delivery = page.getByRole('row').filter({ hasText: 'message.sent' });
    await until(async () => {
      await press('Refresh');
      await settled(page);
      return delivery.filter({ hasText: '500' }).count();
    }).toBe(1);
    await delivery.getByRole('button', { name: 'Attempts' }).click();
    await dialog().getByText('out of order').first().waitFor();
    await expectGood(page);
    await page.keyboard.press('Escape');

    answer = 200;
    const before = received.length;
    await delivery.getByRole('button', { name: 'Resend' }).click();
    await says('The delivery will be sent again');
    await until(() => received.length).toBeGreaterThan(before);
    await until(async () => {
      await press('Refresh');
      await settled(page);
      return delivery.filter({ hasText: 'Succeeded' }).count();
    }).toBe(1);
    await expectGood(page);

    await page.getByLabel('State').selectOption('Failed');
    await delivery.waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'webhook.test' }).waitFor();
    await press('Clear filters');
    await delivery.waitFor();

    const known = [...received];
    await press('Replay a period');
    await expectGood(page);
    // The event may have happened before midnight.
    await dialog()
      .getByLabel('From')
      .fill(`${await inDays(-1)}T00:00`);
    await pressInDialog('Replay');
    await says(/deliveries will be sent again|1 delivery will be sent again/);
    const isKnown = (id: string) => id.startsWith('evt_') && known.includes(id);
    await until(() => received.slice(known.length).some(isKnown)).toBe(true);
    await press('Resend failed');
    await pressInDialog('Resend');
    await says('There was nothing to send again');
  });

  it('edits a webhook, rotates its secret with an overlap, pauses and resumes it, and deletes it', async () => {
    await press('Edit');
    await fill('Name', 'Orders 2');
    await pressInDialog('Save');
    await page.getByRole('heading', { name: 'Orders 2' }).waitFor();
    await press('Rotate secret');
    await pressInDialog('Rotate secret');
    await dialog().locator('.secret code').waitFor();
    await pressInDialog('Done');
    await press('Pause');
    await pressInDialog('Pause');
    await says('Paused');
    await press('Resume');
    await pressInDialog('Resume');
    await says('Active');
    if ((await dialog().count()) > 0) await page.keyboard.press('Escape');
    await press('Delete');
    await pressInDialog('Delete webhook');
    await says('No webhooks yet');
  });

  it('imports a CSV file with its progress, and lists the rows that were refused with why', async () => {
    await open('/contacts/import');
    const rows = [
      'email,phone,firstName,tags',
      'imp-1@example.com,,"Ada, the first",vip;new',
      'not an address,,=Bad,',
      'imp-2@example.com,,Grace,',
      'imp-1@example.com,,Again,',
      'imp-3@example.com,,',
    ];
    const file = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) };
    await page.getByLabel('CSV file').setInputFiles(file);
    await says('The import is complete.');
    await says('2 created');
    await says('the row has 3 fields, the header row 4');
    await expectGood(page);
    const refused = await downloaded(page, () => press('Download them'));
    expect(refused).toMatch(/^line,reason,email,phone,firstName,tags\r\n3,.*,'=Bad,\r\n/);
    await page.getByRole('link', { name: 'Contacts' }).last().click();
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    await settled(page);
    await search('imp-1@example.com');
    await expectGood(page);
    await page.getByRole('link', { name: 'Ada, the first' }).click();
    await page.getByRole('heading', { name: 'Ada, the first' }).waitFor();
    // Until the consents are read, the button below them moves.
    await settled(page);
    await press('Record consent');
    await expectGood(page);
    await fill('Source', 'order form');
    await pressInDialog('Record');
    await says('order form');
    await press('Edit');
    await fill('Last name', 'Lovelace');
    await pressInDialog('Save');
    await page.getByRole('heading', { name: 'Ada, the first Lovelace' }).waitFor();
    await expectGood(page);
  });

  it('keeps what is typed into a search while the answer to its first letters comes', async () => {
    await open('/contacts');
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const firstLetters = /contacts\?.*search=imp-1%40/;
    await page.route(firstLetters, async (route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+K');
    await page.keyboard.type('imp-1@');
    await asked.promise;
    const answered = page.waitForResponse(firstLetters);
    await page.keyboard.type('example');
    answer.resolve();
    await (await answered).finished();
    await page.keyboard.type('.com');
    await page.getByRole('link', { name: 'Ada, the first' }).waitFor();
    await until(() => page.getByRole('row').count()).toBe(2);
    expect(await page.getByLabel('Search').inputValue()).toBe('imp-1@example.com');
    await page.unroute(firstLetters);
    await press('Clear filters');
    await until(() => page.getByRole('row').count()).toBeGreaterThan(2);
    expect(await page.getByLabel('Search').inputValue()).toBe('');
  });

  it('makes a template, once after an answer was lost, with a live preview, names what has no value, and keeps its versions', async () => {
    await open('/templates');
    await page.getByRole('link', { name: 'Create template' }).click();
    await fill('Name', 'Receipt');
    await fill('Subject', 'Receipt {{number}}');
    const [style, link] = ['<style>h1{color:#0d9488}</style>', '<a href="https://example.com/">{{constructor}}</a>'];
    await fill(/^HTML/, `${style}<h1>Dear {{name}}</h1>${link}<script>alert(1)</script>`);
    const mail = page.frameLocator('iframe');
    await mail.getByRole('heading', { name: 'Dear {{name}}' }).waitFor();
    await mail.getByRole('link', { name: '{{constructor}}' }).click();
    await page.getByLabel('name', { exact: true }).fill('<b>Ada</b>');
    await mail.getByRole('heading', { name: 'Dear <b>Ada</b>' }).waitFor();
    expect(await page.getByRole('status').locator('.tag').allInnerTexts()).toEqual(['number', 'constructor']);
    expect(await page.getByLabel('constructor').inputValue()).toBe('');
    await expectGood(page);
    await losingAnswers('**/api/v1/templates', async () => {
      await press('Create template');
      await page.getByRole('alert').waitFor();
    });
    await press('Create template');
    await page.getByRole('heading', { name: 'Receipt', level: 1 }).waitFor();
    await says('Version 1');
    const { body } = await stack.api('GET', '/templates');
    expect(body.data.filter(({ name }: { readonly name: string }) => name === 'Receipt')).toHaveLength(1);
    await fill('Subject', 'Your receipt {{number}}');
    await press('Save');
    await says('Version 2');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await says('The editor has version 1.');
    await until(() => page.getByLabel('Subject').inputValue()).toBe('Receipt {{number}}');
    await expectGood(page);
  });

  it('does not say that nothing matches while a list has more pages to search', async () => {
    const nothingYet = { data: [], pagination: { cursor: stack.file.accountId, hasMore: true } };
    // A list may ask for its first page more than once.
    const firstPage = /api\/v1\/suppressions\?(?!.*cursor=)/;
    await page.route(firstPage, (route) => route.fulfill({ json: nothingYet }));
    await open('/suppressions?reason=complained');
    await says('Nothing found so far');
    await press('Load more');
    await says('Nothing matches these filters');
  });

  it('suppresses an address, and takes it from the list again', async () => {
    await open('/suppressions');
    await press('Add address');
    await expectGood(page);
    await fill('Address', 'never@example.com');
    await pressInDialog('Add address');
    await page.getByRole('cell', { name: 'never@example.com', exact: true }).waitFor();
    await fill('Recipient', 'other@example.com');
    await says('Nothing matches these filters');
    await fill('Recipient', 'Never@example.com');
    await page.getByRole('cell', { name: 'never@example.com', exact: true }).waitFor();
    await expectGood(page);
    await press(/^Remove\s+never/);
    await pressInDialog('Remove');
    await says('Nothing matches these filters');
    await fill('Recipient', '');
    await says('No address is suppressed');
  });

  it('shows at home what was sent, with the numbers of its charts in tables, and takes one key for all its reads', async () => {
    const keys: string[] = [];
    const note = (call: { url(): string }): unknown => call.url().endsWith('/access-keys') && keys.push(call.url());
    page.on('request', note);
    await load('');
    await page.getByText('Show as table').first().click();
    await page.getByRole('table', { name: 'Messages by day' }).waitFor();
    page.off('request', note);
    expect(keys).toHaveLength(1);
    await expectGood(page);
  });

  it('has a menu on a phone, says what is not found, and never had an error in its console', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open('/messages');
    const isMenuOpen = () => page.getByRole('button', { name: 'Menu' }).getAttribute('aria-expanded');
    await press('Menu');
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await until(isMenuOpen).toBe('false');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu');
    await press('Menu');
    await page.getByRole('link', { name: 'Contacts' }).focus();
    await page.keyboard.press('Escape');
    await until(isMenuOpen).toBe('false');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu');
    await press('Menu');
    await page.getByRole('link', { name: 'Contacts' }).click();
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
    await open('/settings');
    await page.evaluate('scrollTo(0, 900)');
    await press('Menu');
    const home = await page.getByRole('link', { name: 'Home' }).boundingBox();
    expect(home?.y).toBeGreaterThan(56);
    expect(home?.y).toBeLessThan(100);
    await expectGood(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Tab');
    await until(isMenuOpen).toBe('false');
    await open('/messages?from=2026-02-31&channel=pigeon&status=delivered');
    await says('Not filtered by Channel, From: the link has a value that is not allowed.');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Status').inputValue()).toBe('delivered');
    await open('/nothing');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await expectGood(page);
    expect(tab.complaints.filter((line) => !/status of 4|ERR_FAILED .*\/(messages|templates)$/.test(line))).toEqual([]);
  });
});
