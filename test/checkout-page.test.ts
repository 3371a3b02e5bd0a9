import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkoutPageHeaders } from '../shared/http/checkout-page.ts';
import { startBrowser } from './browser.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

/** The merchant's page that payers return to. */
const shop = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Shop</title><link rel="icon" href="data:,">');
});

let stack: SharedStack;
let browser: Browser | undefined;
let shopUrl: string;
beforeAll(async () => {
  await once(shop.listen(0, '127.0.0.1'), 'listening');
  const address = shop.address();
  shopUrl = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
});
beforeAll(async () => {
  browser = await startBrowser();
  return () => browser?.close();
});
beforeAll(async () => {
  stack = await shareTestStack();
});
afterAll(() => {
  shop.closeAllConnections();
  shop.close();
});

const newSession = async (amountMinor: number, wishes: object = {}) => {
  const headers = { authorization: `Bearer ${stack.file.keys.checkoutSecretTest}` };
  const body = { amountMinor, currency: 'BDT', description: 'Order 1042', ...wishes };
  const { body: answer } = await request(`${stack.file.checkoutBaseUrl}/v1/checkout-sessions`, 'POST', headers, body);
  return { id: String(answer.data.id), url: String(answer.data.url) };
};

/** All payments of a session. */
const paymentsOf = async (session: string): Promise<{ status: string }[]> => {
  const { body } = await stack.admin('GET', `/accounts/${stack.file.accountId}/payments?limit=100`);
  return body.data.filter((payment: Record<string, unknown>) => payment['checkoutSessionId'] === session);
};

beforeEach(({ skip }) => skip(!browser, 'no browser on this machine'));

/** A payer's browser, with scripts disabled unless the options allow them. */
const payer = async (options: BrowserContextOptions = {}): Promise<{ page: Page; context: BrowserContext }> => {
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', ...options });
  return { context, page: await context.newPage() };
};

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** Chooses the first way to pay, and pays. */
const payFirst = async (page: Page): Promise<void> => {
  await page.getByRole('radio').first().check();
  await page.locator('button.pay').click();
};

/** Presses Tab until this is focused, as keyboard users do. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let n = 0; n < 20; n += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate('document.activeElement.innerText');
    if (String(focused).startsWith(name)) return;
  }
  throw new Error(`${name} cannot be reached with the keyboard`);
};

describe('the hosted page, in Chromium', () => {
  it('leads from the merchant to a payment and back, at 320 pixels width, in dark mode', async () => {
    const { page, context } = await payer({ colorScheme: 'dark', viewport: { width: 320, height: 600 } });
    const { id, url } = await newSession(600_000, { successUrl: `${shopUrl}/thanks?s={CHECKOUT_SESSION_ID}` });
    await page.goto(url);
    await page.getByRole('group', { name: 'How would you like to pay?' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await payFirst(page);
    await page.waitForURL(`${shopUrl}/thanks?s=${id}`);
    expect(await paymentsOf(id)).toMatchObject([{ status: 'SUCCEEDED' }]);
    await context.close();
  });

  it('speaks the language of the browser, at 320 pixels width, and keeps the other one once it is chosen', async () => {
    const { page, context } = await payer({ locale: 'bn-BD', viewport: { width: 320, height: 600 } });
    const { url } = await newSession(1_001);
    await page.goto(url);
    await page.getByRole('group', { name: 'কীভাবে পেমেন্ট করবেন?' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('bn');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.getByRole('link', { name: 'English' }).click();
    await payFirst(page);
    await page.getByRole('heading', { name: 'The payment was declined' }).waitFor();
    await context.close();
  });

  it('lets a payer who chose nothing choose, and a declined one try again, with the keyboard alone', async () => {
    const { page, context } = await payer();
    const { id, url } = await newSession(1_001, { cancelUrl: `${shopUrl}/cart` });
    await page.goto(url);
    for (const attempts of [1, 2]) {
      await tabTo(page, 'Pay ');
      if (attempts === 1) {
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
        await tabTo(page, 'Choose how');
        await page.keyboard.press('Enter');
      } else await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'The payment was declined' }).waitFor();
      expect(await paymentsOf(id)).toHaveLength(attempts);
    }
    await tabTo(page, 'Cancel and go back');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shopUrl}/cart`);
    await context.close();
  });

  it('reloads during a slow payment, and shows the result', async () => {
    const { page, context } = await payer();
    const { id, url } = await newSession(1_004);
    await page.goto(url);
    await payFirst(page);
    await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
    expect(await page.getByRole('status').innerText()).toMatch(/^Card .*has not confirmed the payment yet/);
    await page.waitForURL(`**/checkout/${id}/result`);
    expect(await heading(page).innerText()).toBe('Payment successful');
    await context.close();
  });

  it('shows a payment in progress in a second tab, which can continue it, or cancel it and choose again', async () => {
    const { page, context } = await payer();
    const { id, url } = await newSession(1_002);
    await page.goto(url);
    await payFirst(page);
    await page.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
    const second = await context.newPage();
    await second.goto(url);
    expect(await heading(second).innerText()).toBe('A payment is in progress');
    await second.getByRole('link', { name: 'Continue this payment' }).click();
    await second.getByRole('heading', { name: 'Waiting for confirmation' }).waitFor();
    await second.getByRole('button', { name: 'Cancel this payment' }).click();
    await second.getByRole('heading', { name: 'The payment was cancelled' }).waitFor();
    await page.getByRole('heading', { name: 'The payment was cancelled' }).waitFor();
    expect(await paymentsOf(id)).toMatchObject([{ status: 'FAILED' }]);
    await context.close();
  });

  it('follows a payment without reloading where scripts run, and moves on when it has ended', async () => {
    const { page, context } = await payer({ javaScriptEnabled: true });
    const { id, url } = await newSession(1_004);
    await page.goto(url);
    const [shown, asked]: [string[], number[]] = [[], []];
    page.on('framenavigated', (frame) => shown.push(new URL(frame.url()).pathname));
    page.on('response', (answer) => answer.request().resourceType() === 'fetch' && asked.push(answer.status()));
    await payFirst(page);
    await page.waitForURL(`**/checkout/${id}/result`);
    expect(await heading(page).innerText()).toBe('Payment successful');
    expect(shown).toEqual([expect.stringContaining(`/checkout/${id}/payments/`), `/checkout/${id}/result`]);
    expect(asked).toContain(200);
    await context.close();
  });

  it('charges a payer once who taps twice and goes back afterwards', async () => {
    const { page, context } = await payer();
    const { id, url } = await newSession(600_000);
    await page.goto(url);
    await page.getByRole('radio').first().check();
    await page.locator('button.pay').dblclick();
    // The second tap breaks off the first one's navigation.
    await page.getByRole('heading', { name: 'Payment successful' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'This has already been paid' }).waitFor();
    expect(await paymentsOf(id)).toHaveLength(1);
    await context.close();
  });

  it('loads at most 14 kB in two requests, and nothing from another host, with the security headers and without a cookie', async () => {
    const { page, context } = await payer({ javaScriptEnabled: true });
    const { url } = await newSession(600_000);
    const requests: string[] = [];
    const sizes: Promise<number>[] = [];
    const complaints: string[] = [];
    page.on('requestfinished', (made) => {
      requests.push(made.url());
      sizes.push(
        made.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
      );
    });
    page.on('console', (message) => complaints.push(message.text()));
    const answer = await page.goto(url, { waitUntil: 'networkidle' });
    expect(requests).toHaveLength(2);
    expect(new Set(requests.map((each) => new URL(each).origin))).toEqual(new Set([stack.file.checkoutBaseUrl]));
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(14_336);
    expect(complaints).toEqual([]);
    const known = Object.entries(checkoutPageHeaders).map(([name, value]) => [name.toLowerCase(), value]);
    expect(answer?.headers()).toMatchObject(Object.fromEntries(known));
    expect(await context.cookies()).toEqual([]);
    await context.close();
  });

  it('shows the session at addresses that only a form is sent to, and at its own with a slash at the end', async () => {
    const { page, context } = await payer();
    const { url } = await newSession(600_000);
    for (const address of [`${url}/`, `${url}/pay`, `${url}/payments/x/cancel`]) {
      await page.goto(address);
      expect([page.url(), await heading(page).innerText()]).toEqual([url, expect.stringContaining('6,000.00')]);
    }
    const unknown = await page.goto(`${stack.file.checkoutBaseUrl}/checkout/nothing/`);
    expect(unknown?.status()).toBe(404);
    expect(await heading(page).innerText()).toBe('This payment does not exist');
    await context.close();
  });
});
