import { ListQueuesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Browser, Locator, Page, Request, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { localClient } from '../infra/local/local-client.ts';
import { newId } from '../shared/kit/id.ts';
import { startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { startBrowser } from './browser.ts';
import { expectGood, inOneTab, itInFull, openTab, settled, textHeightIn, until, visiting } from './dashboard-visit.ts';
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
inOneTab(() => browser);

const { load, open, press, dialog, pressInDialog, faultOf } = visiting(() => ({ page, stack }));

/** No text in a field is so small that an iPhone zooms into it. */
const expectLargeText = async (): Promise<void> => {
  const sizes = await page.evaluate<number[]>(
    '[...document.querySelectorAll("main :is(input, select, textarea)")].map((field) => parseFloat(getComputedStyle(field).fontSize))',
  );
  expect(sizes.length).toBeGreaterThan(3);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16);
};

describe('the dashboard, on small screens and in its forms, in Chromium', () => {
  it('keeps a dialog with a secret open where a selection of its text ends beside it, after a click there, and when the button that opens it is clicked twice; asks before a secret that was not copied goes by the way back, Escape or the cross, and not once it was copied', async () => {
    await open('/members');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).first().dblclick({ delay: 50 });
    await dialog().getByLabel('Name').fill('Shown once');
    await pressInDialog('Create key');
    const shown = page.getByRole('dialog', { name: 'Your new key' });
    const asked = page.getByRole('dialog', { name: 'Close without copying?' });
    const isShown = async () => expect(await shown.locator('code').innerText()).toMatch(/^mk_/);
    const box = await shown.locator('.secret code').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 5);
    await page.mouse.down();
    await page.mouse.move(5, 5, { steps: 4 });
    await page.mouse.up();
    // Nor does a click beside it close what cannot be seen again.
    await page.mouse.click(5, 5);
    await isShown();
    for (const leaves of [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => shown.getByRole('button', { name: 'Close' }).click(),
      // The browser closes it without asking the page: presses that reach nothing in it, one after the other.
      () => page.evaluate("document.querySelector('dialog').close()"),
    ]) {
      await leaves();
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await asked.waitFor({ state: 'detached' });
      await isShown();
    }
    // A held key, and one that is pressed again and again: each press asks, and the next one takes the question back.
    await page.keyboard.down('Escape');
    for (let n = 0; n < 9; n += 1) await page.keyboard.down('Escape');
    await page.keyboard.up('Escape');
    for (let n = 0; n < 10; n += 1) await page.keyboard.press('Escape');
    await isShown();
    // A press before the page has drawn what the one before it asked is none of either: whether it asks now is not known.
    await until(async () => {
      if ((await asked.count()) === 0) await page.keyboard.press('Escape');
      return asked.count();
    }).toBe(1);
    await asked.getByRole('button', { name: 'Close without copying' }).click();
    await until(() => dialog().count()).toBe(0);

    await press('Create key');
    await dialog().getByLabel('Name').fill('Copied');
    await pressInDialog('Create key');
    await shown.locator('code').selectText();
    await page.keyboard.press('Control+C');
    await page.keyboard.press('Escape');
    await until(() => dialog().count()).toBe(0);
  });

  it('keeps the focus in a list when the button that had it is gone', async () => {
    await page.getByRole('button', { name: /^Revoke\s+Copied/ }).press('Enter');
    await dialog().getByRole('button', { name: 'Revoke key' }).press('Enter');
    await until(() => page.getByRole('button', { name: /^Revoke\s+Copied/ }).count()).toBe(0);
    await until(() => page.evaluate('document.activeElement.ariaLabel')).toBe('API keys');
  });

  itInFull('keeps the focus in a list whose new rows come before the next frame', async () => {
    const storageState = await page.context().storageState();
    const { page: fast, context } = await openTab(browser as Browser, { storageState });
    await fast.clock.install();
    await fast.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/api-keys`);
    const revoke = fast.getByRole('button', { name: /^Revoke\s+Shown/ });
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

  itInFull('shows what has the focus to a keyboard that goes back through a long screen, below the bar', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await open('/settings');
    const hasFocus = (which: string) => page.evaluate(`document.activeElement.matches(${JSON.stringify(which)})`);
    await page.getByRole('button', { name: 'Save' }).last().focus();
    while (!(await hasFocus('.menu'))) {
      const top = await page.evaluate('document.activeElement.getBoundingClientRect().top');
      expect(top).toBeGreaterThanOrEqual(56);
      await page.keyboard.press('Shift+Tab');
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  itInFull(
    'keeps long words of merchants and people within the narrowest screen, and names within their dialogs',
    async () => {
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
      await admin('POST', `/accounts/${file.accountId}/api-keys`, { name: 'x'.repeat(100), scopes: ['messages:send'] });
      await open(`/checkout-sessions/${body.data.id}?mode=test`);
      expect(await widths()).toEqual([320]);
      await open('/api-keys');
      await press(/^Revoke\s+xxx/);
      await dialog().waitFor();
      expect(await widths()).toEqual([320, 284]);
      await pressInDialog('Cancel');
      await open('/templates/new');
      await expectLargeText();
      await page.getByLabel('Subject').fill(`{{${'x'.repeat(60)}}}`);
      await page.getByLabel('x'.repeat(60)).waitFor();
      expect(await widths()).toEqual([320]);
      await page.setViewportSize({ width: 1280, height: 860 });
    },
  );

  it('says beside its field what is wrong with the name of a placeholder, and beside both where one of two is required', async () => {
    await open('/templates/new');
    await page.getByLabel('Name').fill('Empty');
    await page.getByLabel('Subject').fill('Hello');
    await press('Create template');
    await page.getByRole('alert').waitFor();
    expect(await faultOf('HTML')).toBe('at least one is required');
    expect(await faultOf('Text')).toBe('at least one is required');

    await page.getByLabel('Subject').fill('Hello {{name}}');
    await page.getByLabel('Text').fill('It works, {{}}.');
    await press('Create template');
    await until(() => faultOf('Text')).toBe('{{}} must be a name without braces');
  });

  itInFull(
    'has text in the fields of a phone that an iPhone does not zoom into, and all of a long dialog on its screen, which takes no time that the server does not know, and keeps its words while a person looks at a template or another channel',
    async () => {
      await stack.api('POST', '/templates', { name: 'Looked at', channel: 'email', subject: 'Hi', textContent: 'Hi' });
      await page.setViewportSize({ width: 360, height: 640 });
      await open('/messages');
      await expectLargeText();
      await press('Send a message');
      await dialog().getByLabel('Text').waitFor();
      const box = await dialog().boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(640);
      await page.setViewportSize({ width: 1280, height: 860 });
      await dialog().getByLabel('Send at').fill('12026-10-01T00:00');
      expect(await dialog().locator('[type=datetime-local]:invalid').count()).toBe(1);
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
      await pressInDialog('Discard changes');
    },
  );

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

  it('fits a list, and a message, on the narrowest phone whose text is twice as large', async () => {
    const message = { channel: 'email', to: 'large@example.com', subject: 'Hi', text: 'Hi' };
    const { id } = (await stack.api('POST', '/messages', message)).body.data;
    await until(async () => (await stack.api('GET', `/messages/${id}`)).body.data.status).toBe('delivered');
    await page.setViewportSize({ width: 320, height: 600 });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    for (const [path, status] of [
      ['?to=large%40example.com', 'td .status'],
      [`/${id}`, '.facts .status'],
    ]) {
      await open(`/messages${path}`);
      await page.locator(`${status}`).first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    }
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
    await devtools.detach();
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('breaks no amount of a list in its middle while another column has room', async () => {
    const { file } = stack;
    const body = { amountMinor: 999_999_999_999, currency: 'BDT', invoiceId: 'INV '.repeat(60).trim() };
    const key = { authorization: `Bearer ${file.keys.checkoutSecretTest}` };
    expect((await request(`${file.checkoutBaseUrl}/v1/checkout-sessions`, 'POST', key, body)).status).toBe(201);
    await open('/checkout-sessions?mode=test');
    expect(await textHeightIn(page, 'Amount')).toBeLessThan(30);
  });

  it('leads the keyboard to a new secret, and keeps it on the screen while a person reads how to verify with it', async () => {
    await open('/webhooks');
    await press('Add webhook');
    await dialog().getByLabel('Name').fill('By keyboard');
    await dialog().getByLabel('URL').fill('http://localhost:9/by-keyboard');
    await dialog().getByRole('button', { name: 'Add webhook' }).press('Enter');
    await until(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Copy secret');
    await page.context().grantPermissions(['clipboard-write']);
    await page.keyboard.press('Enter');
    await dialog().getByRole('status').getByText('Copied', { exact: true }).waitFor();
    const opened = page.context().waitForEvent('page');
    await dialog().getByRole('link', { name: 'how to verify' }).click();
    await (await opened).close();
    expect(await dialog().locator('.secret code').innerText()).toMatch(/^[0-9a-f]{48}$/);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  itInFull('lists the delivery of a test event behind its dialog', async () => {
    await open('/webhooks');
    await page.getByRole('link', { name: 'By keyboard' }).click();
    await press('Send test');
    await dialog().getByText('Failed').waitFor();
    await pressInDialog('Done');
    await page.getByRole('row').filter({ hasText: 'webhook.test' }).waitFor();
    await page
      .getByRole('button', { name: /^Attempts\s+webhook\.test \d/ })
      .first()
      .waitFor();
  });

  itInFull('shows no less of a list than was read when one of its rows is changed', async () => {
    const suppress = (n: number) =>
      stack.api('POST', '/suppressions', { channel: 'email', address: `unwanted-${n}@example.com` });
    for (let n = 0; n < 30; n += 1) await suppress(n);
    await open('/suppressions');
    await press('Load more');
    const rows = () => page.locator('tbody tr').count();
    await until(rows).toBe(30);
    await page
      .getByRole('button', { name: /^Remove/ })
      .last()
      .click();
    await pressInDialog('Remove');
    await until(rows).toBe(29);
  });

  it('takes no contacts from a file in another encoding than UTF-8', async () => {
    await open('/contacts/import');
    const buffer = Buffer.from('email,firstName\r\nlatin@example.com,Zo\u00eb\r\n', 'latin1');
    await page.getByLabel('CSV file').setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('alert').getByText('The file is not in UTF-8.').waitFor();
    expect((await stack.api('GET', '/contacts?search=latin%40example.com')).body.data).toEqual([]);
  });

  it('asks for a recipient once the address is whole or confirmed, and for no day that the server does not know, says to a screen reader what a filter has found, and prints the list alone', async () => {
    await open('/messages');
    await page.getByLabel('To', { exact: true }).fill('275760-09-13');
    expect(new URL(page.url()).search).toBe('');
    await page.getByLabel('To', { exact: true }).fill('');
    const asked: (string | null)[] = [];
    const note = (sent: Request): void => {
      const { pathname, searchParams } = new URL(sent.url());
      if (pathname === '/api/v1/messages') asked.push(searchParams.get('to'));
    };
    page.on('request', note);
    const recipient = page.getByLabel('Recipient');
    // Longer than the rest after which a list is asked.
    await recipient.pressSequentially('h@ex', { delay: 350 });
    await recipient.pressSequentially('.com');
    await until(() => asked.length).toBeGreaterThan(0);
    expect(asked).toEqual(['h@ex.com']);
    await page.getByRole('status').getByText('Messages: 0 shown').waitFor({ state: 'attached' });
    await recipient.fill('01700-000 000');
    await until(() => asked.length).toBe(2);
    expect(asked.at(-1)).toBe('+8801700000000');
    await recipient.fill('half');
    await recipient.press('Enter');
    await page.getByRole('alert').getByText('Recipient: must be an email address').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    page.off('request', note);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { name: 'Messages', level: 1 }).isVisible()).toBe(true);
    for (const part of ['nav', '.filters', '.actions']) {
      expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false]);
      expect([part, await page.locator(part).count()]).not.toEqual([part, 0]);
    }
    await page.emulateMedia({ media: null });
  });

  itInFull(
    'leads back past a screen in one step when its link was clicked there again, does not filter the screen before by what was typed, and takes a filter after the address has lost a slash at its end',
    async () => {
      const link = page.getByRole('link', { name: 'Messages', exact: true });
      const contacts = () => page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
      await open('/contacts');
      for (let times = 0; times < 2; times++) {
        await link.click();
        await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
      }
      await page.keyboard.press('Control+K');
      await page.keyboard.type('x');
      await page.evaluate('history.back()');
      await contacts();
      await settled(page);
      expect(new URL(page.url()).search).toBe('');

      await open('/messages/');
      await link.click();
      await until(async () => new URL(page.url()).pathname).toMatch(/messages$/);
      await page.getByLabel('Recipient').fill('half');
      await page.getByLabel('Recipient').press('Enter');
      await page.getByRole('alert').waitFor();
    },
  );

  it('offers no second try of a filter that the checkout API refuses, and names the filter by its label', async () => {
    await open(`/payments?mode=test&invoiceId=${'x'.repeat(300)}`);
    await page.getByRole('alert').getByText('Invoice: must be').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('keeps the mode of a link to a live payment for the screens after it, and shows no row of one mode in the other', async () => {
    await open('/payments?mode=live');
    await page.getByRole('link', { name: 'Refunds' }).click();
    await page.getByRole('heading', { name: 'Refunds', level: 1 }).waitFor();
    expect(await page.getByLabel('Live').isChecked()).toBe(true);

    const key = { authorization: `Bearer ${stack.file.keys.checkoutSecretTest}` };
    const order = { amountMinor: 100, currency: 'BDT' };
    await request(`${stack.file.checkoutBaseUrl}/v1/checkout-sessions`, 'POST', key, order);
    await open('/checkout-sessions?mode=test');
    await page.locator('tbody tr').first().waitFor();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waits = async (route: Route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    };
    await page.route('**/v1/checkout-sessions?*', waits, { times: 1 });
    await page.getByText('Live', { exact: true }).click();
    await asked.promise;
    expect(await page.locator('tbody tr').count()).toBe(0);
    answer.resolve();
    await page.getByText('Test', { exact: true }).click();
    await page.locator('tbody tr').first().waitFor();
  });

  it('opens what has the id that is typed into the search of a list, in its mode, also by a link without it', async () => {
    const { file, api } = stack;
    const key = { authorization: `Bearer ${file.keys.checkoutSecretTest}` };
    const order = { amountMinor: 4_200, currency: 'BDT' };
    const session = (await request(`${file.checkoutBaseUrl}/v1/checkout-sessions`, 'POST', key, order)).body.data;
    const message = { channel: 'email', to: 'by-id@example.com', subject: 'Hi', text: 'Hi' };
    const { id } = (await api('POST', '/messages', message)).body.data;
    for (const [list, label, wanted, heading] of [
      ['/payments?mode=live', 'Invoice', session.id, '৳42.00'],
      ['/messages', 'Recipient', id.toUpperCase().replaceAll('-', ' '), 'by-id@example.com'],
    ] as const) {
      await open(list);
      await page.getByLabel(label).focus();
      await page.keyboard.insertText(wanted);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      // The field takes its text for confirmed when it goes.
      await settled(page);
      await page.goBack();
      await page.getByLabel(label).waitFor();
    }
    const search = page.getByLabel('Recipient');
    await open('/messages');
    await search.fill(session.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')));
    await page.getByText('Nothing has this id').waitFor();
    expect(await page.getByRole('alert').getByText('must be').count()).toBe(0);

    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const own = `**/api/v1/messages/${id}`;
    await page.route(own, async (route) => {
      asked.resolve();
      await answer.promise;
      await route.continue();
    });
    await search.fill(id);
    await asked.promise;
    const answered = page.waitForResponse(own);
    await search.fill('');
    answer.resolve();
    await (await answered).finished();
    await page.unroute(own);
    await search.fill('by-id@example.com');
    await page.waitForURL(/\/messages\?to=by-id/);

    await open(`/checkout-sessions/${session.id}?mode=live`);
    await page.getByRole('heading', { name: '৳42.00', level: 1 }).waitFor();
    expect(new URL(page.url()).search).toBe('?mode=test');
    await open(`/checkout-sessions/${id}?mode=test`);
    await page.getByRole('alert').getByText('session_not_found').waitFor();
  });

  itInFull('keeps the mode of a tab while another tab changes its own', async () => {
    await open('/payments?mode=test');
    await open('/payments');
    const other = await page.context().newPage();
    await other.goto(`${stack.file.checkoutBaseUrl}/dashboard/${stack.file.accountId}/payments?mode=live`);
    await other.getByText('No live payments yet').waitFor();
    await other.close();
    await page.getByLabel('Status').selectOption('FAILED');
    await page.waitForURL(/status=FAILED/);
    await page.getByRole('link', { name: 'Refunds' }).click();
    await page.getByRole('heading', { name: 'Refunds', level: 1 }).waitFor();
    expect(await page.getByRole('radio', { name: 'Test' }).isChecked()).toBe(true);
  });

  itInFull(
    'says in the timeline of a message that its webhook did not answer, and not that it answered 0',
    async () => {
      const silent = { name: 'Nothing listens here', url: 'http://127.0.0.1:9/', events: ['message.sent'] };
      const { webhook } = (await stack.api('POST', '/webhooks', silent)).body.data;
      const email = { channel: 'email', to: 'silent@example.com', subject: 'Hi', text: 'Hi' };
      const { id } = (await stack.api('POST', '/messages', email)).body.data;
      const happened = async () => JSON.stringify((await stack.api('GET', `/messages/${id}/events`)).body);
      await until(happened).toContain('"statusCode":0');
      await open(`/messages/${id}`);
      await page.locator('.timeline').getByText('message.sent · no answer').first().waitFor();
      await stack.api('DELETE', `/webhooks/${webhook.id}`);
    },
  );

  itInFull(
    'leads from a message that bounced to the suppression of its address, which says that it blocks nothing',
    async () => {
      const to = 'bounce+list@simulator.amazonses.com';
      const { id } = (await stack.api('POST', '/messages', { channel: 'email', to, subject: 'Hi', text: 'Hi' })).body
        .data;
      const listed = () => stack.api('GET', `/suppressions?address=${encodeURIComponent(to)}`);
      await until(async () => (await listed()).body.data.length).toBe(1);
      await open(`/messages/${id}`);
      await page.getByRole('link', { name: 'Look for the address' }).click();
      await page.getByRole('cell', { name: to, exact: true }).waitFor();
      await page.getByText('Sends to these addresses are not blocked.').waitFor();
      await expectGood(page);
      await page.route('**/admin/v1/accounts/*', async (route) => {
        const response = await route.fetch();
        const { data } = await response.json();
        await route.fulfill({ response, json: { data: { ...data, suppressions: 'enforced' } } });
      });
      await load('/suppressions');
      await page.getByText('Sends to these addresses are blocked.').waitFor();
    },
  );

  itInFull('does not call the recipient of a campaign’s message removed', async () => {
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

  itInFull('changes only the settings that were changed in this tab', async () => {
    const path = `/accounts/${stack.file.accountId}`;
    const before = (await stack.admin('GET', path)).body.data;
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const shop = await startReceiver((response) => response.writeHead(200).end(png));
    const logoUrl = (name: string) => `http://localhost:${shop.port}/${name}.png`;
    await stack.admin('PATCH', path, { branding: { logoUrl: logoUrl('old') } });
    await open('/settings');
    await stack.admin('PATCH', path, {
      branding: { logoUrl: logoUrl('new'), color: '#123456' },
      adminEmails: ['other-tab@example.com'],
      email: { listUnsubscribe: !before.email.listUnsubscribe },
      frequencyCap: { max: 7, windowSeconds: 60 },
    });
    for (const [title, change] of [
      ['General', (group: Locator) => group.getByLabel('Name').fill('Of this tab')],
      ['Email', (group: Locator) => group.getByLabel('Sender name').fill('Of this tab')],
      ['When messages may be sent', (group: Locator) => group.getByLabel('Block sends').check()],
      ['Branding', (group: Locator) => group.getByLabel('Name on bank statements').fill('OF THIS TAB')],
      ['Branding', (group: Locator) => group.getByLabel('Support phone').fill('+8801700000000')],
    ] as const) {
      const group = page.getByRole('region', { name: title });
      await change(group);
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await group.getByRole('button', { name: 'Save' }).click();
      expect((await saved).status()).toBe(200);
      await settled(page);
    }
    const { adminEmails, name, email, branding, frequencyCap, suppressions } = (await stack.admin('GET', path)).body
      .data;
    expect({ adminEmails, name, frequencyCap, suppressions }).toEqual({
      adminEmails: ['other-tab@example.com'],
      name: 'Of this tab',
      frequencyCap: { max: 7, windowSeconds: 60 },
      suppressions: 'enforced',
    });
    expect(email).toMatchObject({ fromName: 'Of this tab', listUnsubscribe: !before.email.listUnsubscribe });
    expect(branding).toMatchObject({ logoUrl: logoUrl('new'), color: '#123456', statementName: 'OF THIS TAB' });

    const again = page.getByLabel('Read the picture at this address again');
    await again.check();
    await page.getByRole('region', { name: 'Branding' }).getByRole('button', { name: 'Save' }).click();
    await until(() => again.isChecked()).toBe(false);
    expect(shop.received.map(({ url }) => url)).toEqual(['/old.png', '/new.png', '/new.png']);
    await shop.close();
    const { status } = await stack.admin('PATCH', path, {
      name: before.name,
      branding: before.branding,
      adminEmails: before.adminEmails,
      email: before.email,
      frequencyCap: before.frequencyCap,
      suppressions: before.suppressions,
    });
    expect(status).toBe(200);
  });
});
