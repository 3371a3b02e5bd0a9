import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startBrowser } from '../../../test/browser.ts';
import { downloaded, expectGood, openTab, until } from '../../../test/dashboard-visit.ts';
import { serveLocally } from '../emulators/local-server.ts';
import { openPhones } from '../emulators/phones.ts';
import { providersAt } from '../emulators/phones-fixture.ts';
import { send, startTestSes } from '../emulators/ses-fixture.ts';
import { temporaryDirectory } from '../emulators-fixture.ts';

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const phone = '+8801700000000';

/** An inbox with its phones, and a tab that shows it. */
const visit = async () => {
  if (!browser) throw new Error('There is no browser.');
  const dataDirectory = await temporaryDirectory();
  const replies: string[] = [];
  const answers: number[] = [];
  const phones = openPhones({
    dataDirectory,
    apiUrl: 'http://127.0.0.1:9',
    takeReply: async ({ channel, text }) => {
      replies.push(`${channel}: ${text}`);
      return answers.shift() ?? 200;
    },
  });
  onTestFinished(() => phones.close());
  const { url } = await startTestSes({ dataDirectory, routes: phones.routes });
  const { page, context, complaints } = await openTab(browser);
  onTestFinished(() => context.close());
  await page.goto(url);
  return { url, page, complaints, replies, ...providersAt(url), answers };
};

const entries = (page: Page) => page.locator('#entries a');
const textTo = (to: string, messageId: string, text: string) => ({
  messageId,
  accountId: '0191e6a4-7c3b-7000-8000-000000000001',
  to,
  text,
  reportUrl: 'https://elsewhere.example/callbacks/sms-reports/t',
});

const order = {
  subject: 'Your order is on its way',
  text: 'Plain words.',
  html: '<h1>It left today</h1><a href="https://example.com/track">Track it</a>',
  attachments: [{ filename: 'invoice.txt', content: 'Paid.' }],
};

beforeEach(({ skip }) => skip(!browser, 'no browser on this machine'));

describe('the inbox in a browser', () => {
  it('shows a long recipient, and beside it when, within the narrowest screen', async () => {
    const { url, page } = await visit();
    await send(url, { subject: 'Hi', to: 'grace.hopper.with.a.long.name@department.of.ships.example.org' });
    await page.setViewportSize({ width: 360, height: 740 });
    const time = entries(page).first().locator('time');
    await time.waitFor();
    const { x = 0, width = 0 } = (await time.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(0);
    expect(x + width).toBeLessThanOrEqual(360);
  });

  it('shows new mails at once, opens them in place, and keeps scroll, search and history', async () => {
    const { url, page, complaints } = await visit();
    await expectGood(page);
    for (let n = 0; n < 20; n += 1) await send(url, { subject: `Mail ${n}`, to: `person${n}@example.org` });
    await until(() => entries(page).count()).toBe(20);
    const list = page.locator('#entries');
    await list.evaluate((element) => element.scrollTo(0, 300));
    await entries(page).filter({ hasText: 'Mail 12' }).click();
    await until(() => page.locator('h1').textContent()).toBe('Mail 12');
    expect(await page.title()).toBe('Mail 12');

    await page.locator('#search input').fill('half a word');
    await until(() => page.locator('#note').textContent()).toBe('No email contains these words.');
    await page.locator('#search input').fill('');
    await until(() => entries(page).count()).toBe(20);
    await list.evaluate((element) => element.scrollTo(0, 300));
    await entries(page).filter({ hasText: 'Mail 12' }).focus();
    await send(url, order);
    await until(() => entries(page).count()).toBe(21);
    expect(await list.evaluate((element) => element.scrollTop)).toBeGreaterThan(200);
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Mail 12');

    await page.keyboard.press('ArrowDown');
    await until(() => page.locator('h1').textContent()).toBe('Mail 11');
    await page.keyboard.press('k');
    await until(() => page.locator('h1').textContent()).toBe('Mail 12');
    await page.keyboard.press('/');
    await page.keyboard.type('way');
    await until(() => entries(page).count()).toBe(1);
    await until(async () => page.url()).toContain('search=way');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until(() => page.locator('h1').textContent()).toBe(order.subject);
    await page.goBack();
    await until(() => page.locator('h1').textContent()).toBe('Mail 12');
    expect(complaints).toEqual([]);
  });

  it('shows a mail as HTML, text, links, attachments, headers and source', async () => {
    const { url, page, complaints } = await visit();
    const id = await send(url, order);
    await entries(page).click();
    const frame = page.frameLocator('iframe');
    await until(() => frame.locator('h1').textContent()).toBe('It left today');
    await expectGood(page);
    const view = page.locator('.view');
    for (const [name, shown] of [
      ['Text', 'Plain words.'],
      ['Links', 'https://example.com/track'],
      ['Headers', 'MIME-Version'],
      ['Source', 'Content-Type: multipart/'],
      ['Attachments', 'invoice.txt'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await until(() => view.getAttribute('aria-label')).toBe(name);
      expect(await view.textContent()).toContain(shown);
      expect(await page.evaluate('document.activeElement.textContent')).toBe(name);
      await expectGood(page);
    }
    expect(page.url()).toBe(`${url}/mails/${id}?view=files`);
    expect(await downloaded(page, () => view.getByRole('link').click())).toBe('Paid.');
    expect(complaints).toEqual([]);
  });

  it('runs no script of a mail, loads remote pictures only when asked, and opens links in a tab of their own', async () => {
    const { url, page } = await visit();
    const asked: string[] = [];
    const elsewhere = await serveLocally(
      {
        'GET /{path}': (_, path) => {
          asked.push(path);
          return { status: 200, body: 'Elsewhere' };
        },
      },
      0,
    );
    onTestFinished(elsewhere.close);
    const remote = `http://localhost:${elsewhere.port}`;
    const attack = `<script>fetch('${remote}/script');parent.document.title='Taken'</script>`;
    await send(url, {
      subject: attack,
      to: { name: attack, address: 'ada@example.org' },
      text: `</pre>${attack}`,
      html: `${attack}<img src="${remote}/picture" onerror="document.body.textContent='Taken'"><meta http-equiv="refresh" content="0;url=${remote}/refresh"><form action="${remote}/form"><button>Send</button></form><a href="${remote}/link">Go</a><p>Calm</p>`,
    });
    await entries(page).click();
    const frame = page.frameLocator('iframe');
    await until(() => frame.locator('p').textContent()).toBe('Calm');
    await frame.getByRole('button').click();
    for (const name of ['Text', 'Headers', 'Source', 'HTML']) {
      await page.getByRole('link', { name, exact: true }).click();
      await until(() => page.locator('.view').getAttribute('aria-label')).toBe(name);
    }
    expect(await page.title()).toBe(attack);
    expect(asked).toEqual([]);

    await page.getByRole('link', { name: 'Show remote pictures' }).click();
    await until(() => asked).toEqual(['picture']);
    const [tab] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('link', { name: 'Go' }).click()]);
    await until(() => asked).toContain('link');
    expect(await tab.evaluate('window.opener')).toBe(null);
    expect(asked).not.toContain('script');
  });

  it('shows a phone as a conversation, and writes as the phone without losing typed text', async () => {
    const { url, page, sms, whatsapp, replies, answers, complaints } = await visit();
    await page.goto(`${url}/phones`);
    await expectGood(page);
    await sms.send(textTo(phone, 'm-1', 'Your code is 1234'));
    await entries(page).click();
    const texts = page.locator('#texts .bubble');
    await until(() => texts.allTextContents()).toEqual(['Your code is 1234']);
    const box = page.getByLabel('Text');
    await box.fill('half typed');
    await whatsapp.send(textTo(phone, 'm-2', '<b>Hello</b>'));
    await until(() => texts.allTextContents()).toEqual(['Your code is 1234', '<b>Hello</b>']);
    expect(await box.inputValue()).toBe('half typed');

    await page.getByRole('button', { name: 'STOP' }).click();
    await until(() => texts.count()).toBe(3);
    expect(await box.inputValue()).toBe('half typed');
    await page.getByLabel('Reply by').selectOption('whatsapp');
    await box.press('Enter');
    await until(() => texts.count()).toBe(4);
    expect(replies).toEqual(['sms: STOP', 'whatsapp: half typed']);
    await until(() => box.inputValue()).toBe('');
    await expectGood(page);
    expect(complaints).toEqual([]);

    answers.push(404);
    await box.fill('once more');
    const confirmed =
      "new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })";
    expect(await page.evaluate(`document.querySelector('textarea').dispatchEvent(${confirmed})`)).toBe(true);
    await page.getByRole('button', { name: 'Send' }).click();
    await until(() => page.getByRole('alert').textContent()).toContain('The API answered 404');
    expect([await texts.count(), await box.inputValue()]).toEqual([4, 'once more']);
    await page.route('**/replies', (route) => route.abort());
    await page.getByRole('button', { name: 'Send' }).click();
    await until(() => page.getByRole('alert').textContent()).toContain('The stack did not answer');
    expect(await box.inputValue()).toBe('once more');
  });
});
