import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as checkout from '../shared/client/checkout.ts';
import { openClient } from '../shared/client/client.ts';
import { startBrowser } from './browser.ts';
import { expectGood, letIn, openTab, settled, until } from './dashboard-visit.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

let stack: SharedStack;
let browser: Browser | undefined;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  stack = await shareTestStack();
  browser = await startBrowser();
  if (!browser) return;
  const tab = await openTab(browser);
  [page, complaints] = [tab.page, tab.complaints];
  await letIn(tab.context, stack);
  const { keys } = stack.file;
  await tab.context.route('**/admin/v1/accounts/*/access-keys', (route) => {
    const wanted = route.request().postDataJSON() as { readonly api: string; readonly livemode?: boolean };
    const secret = wanted.livemode ? keys.checkoutSecretLive : keys.checkoutSecretTest;
    const key = wanted.api === 'messaging' ? keys.messaging : secret;
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    return route.fulfill({ status: 201, json: { data: { key, expiresAt } } });
  });
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
const pressInDialog = (name: string | RegExp): Promise<void> => dialog().getByRole('button', { name }).click();
const fill = (label: string | RegExp, text: string): Promise<void> => page.getByLabel(label).last().fill(text);
const says = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
const isClosed = () => until(() => dialog().count()).toBe(0);

const merchant = () =>
  openClient<checkout.Operations>({
    baseUrl: `${stack.file.checkoutBaseUrl}/v1`,
    key: stack.file.keys.checkoutSecretTest,
    replayable: checkout.replayable,
  });

/** A customer pays by the simulated card. With chaos, the gateway reports another amount. */
const pay = async (amountMinor: number, chaos?: 'tampered_amount'): Promise<string> => {
  const api = merchant();
  const { data: session } = await api.call('POST /checkout-sessions', { body: { amountMinor, currency: 'BDT' } });
  if (chaos) {
    const url = `${stack.file.adminBaseUrl}/checkout-sessions/${session.id}/chaos`;
    const headers = { authorization: `Bearer ${stack.file.adminToken}`, 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ chaos }) })).status).toBe(200);
  }
  const acceptanceMethodId = session.eligibleMethods[0]?.acceptanceMethodId ?? '';
  const path = { id: session.id };
  const { data } = await api.call('POST /public/checkout-sessions/{id}/payments', {
    path,
    body: { acceptanceMethodId },
  });
  await fetch(data.redirectUrl, { redirect: 'manual' });
  return data.paymentId;
};
const statusOf = async (id: string) => (await merchant().call('GET /payments/{id}', { path: { id } })).data.status;

describe('the checkout and the account in the dashboard, in Chromium', () => {
  it('refunds a payment in part, and names the amount before it does', async () => {
    const id = await pay(500_00);
    await until(() => statusOf(id)).toBe('SUCCEEDED');
    await open('/payments?mode=test');
    await expectGood(page);
    await page.getByRole('link', { name: /500\.00/ }).click();
    await press('Refund');
    await fill('Amount in BDT', '600');
    await pressInDialog('Continue');
    await dialog().getByText('must be between 0.01 and 500.00').first().waitFor();
    await fill('Amount in BDT', '120.50');
    await pressInDialog('Continue');
    await dialog()
      .getByText(/goes back to the payer/)
      .waitFor();
    await expectGood(page);
    await pressInDialog(/^Refund .*120\.50$/);
    await isClosed();
    await until(async () => (await merchant().call('GET /payments/{id}', { path: { id } })).data.refundedMinor).toBe(
      120_50,
    );
    await page.reload();
    await page.getByText('379.50').waitFor();
    await expectGood(page);
    await open('/refunds?mode=test');
    await says(/120\.50/);
    await expectGood(page);
  });

  it('settles a payment that is held for review, once', async () => {
    const id = await pay(700_00, 'tampered_amount');
    await until(async () => {
      await open('/reviews');
      return page.getByRole('button', { name: /^Review/ }).count();
    }).toBe(1);
    await expectGood(page);
    await press(/^Review/);
    await expectGood(page);
    await dialog()
      .getByLabel(/^Accept/)
      .check();
    await fill(/^Reason/, 'The gateway shows the right amount.');
    await pressInDialog('Continue');
    await pressInDialog(/^Accept .*700\.00$/);
    await says('No payment is held');
    expect(await statusOf(id)).toBe('SUCCEEDED');
  });

  it('makes a publishable key with its limits, shows it once, and revokes it', async () => {
    await open('/checkout-keys');
    await press('Create key');
    await fill('Name', 'Shop page');
    await page.getByLabel('Kind').selectOption('publishable');
    await fill(/^Origins/, 'https://shop.example');
    await expectGood(page);
    await pressInDialog('Create key');
    await dialog()
      .getByText(/^pk_test_/)
      .waitFor();
    await pressInDialog('Done');
    await says(/https:\/\/shop\.example/);
    await press('Revoke Shop page');
    await pressInDialog('Revoke key');
    await says('Revoked');
    await expectGood(page);
  });

  it('turns a payment method off and on, and saves settings', async () => {
    await open('/methods?mode=test');
    await press(/^Turn off/);
    await page.getByText('Off', { exact: true }).waitFor();
    await expectGood(page);
    await press(/^Turn on/);
    await until(() => page.getByText('Off', { exact: true }).count()).toBe(0);
    await open('/settings');
    await expectGood(page);
    await fill('Support email (optional)', 'help@shop.example');
    await page.getByRole('region', { name: 'Branding' }).getByRole('button', { name: 'Save' }).click();
    await says('The settings are saved');
  });

  it.each(['/checkout?mode=test', '/checkout-sessions?mode=test', '/checkout-webhooks', '/credits', '/requests'])(
    'shows %s to all eyes and on a phone',
    async (path) => {
      await open(path);
      await expectGood(page);
    },
  );

  it('adjusts credits, and lists the change in the ledger', async () => {
    await open('/credits');
    await press('Adjust credits');
    await fill('Email (optional)', '25');
    await fill(/^Reason/, 'Invoice 1042');
    await pressInDialog('Adjust credits');
    await says('Invoice 1042');
    await says('+25');
  });

  it('makes the browser complain of nothing', () => {
    expect(complaints).toEqual([]);
  });
});
