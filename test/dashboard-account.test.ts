import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type * as admin from '../shared/client/admin.ts';
import * as checkout from '../shared/client/checkout.ts';
import { openClient } from '../shared/client/client.ts';
import { startBrowser } from './browser.ts';
import {
  expectGood,
  expectNarrow,
  inOneTab,
  itInFull,
  linkMailedTo,
  losingAnswersOn,
  memberUrl,
  openTab,
  settled,
  until,
  visiting,
} from './dashboard-visit.ts';
import { request, type SharedStack, shareTestStack } from './test-stack.ts';

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
  await page.goto(stack.file.dashboardLoginUrl);
  return () => browser?.close();
});
inOneTab(() => browser);

const { open, press, dialog, pressInDialog, faultOf, fill, says } = visiting(() => ({ page, stack }));
type Method = admin.Operations['GET /accounts/{id}/checkout-methods']['reply']['data'][number];

const losingAnswers = losingAnswersOn(() => page);
const isClosed = () => until(() => dialog().count()).toBe(0);
/** Which part of the page has the press where this is. */
const topmostAt = (selector: string) =>
  page.evaluate<string | undefined>(`(() => {
    const { x, y } = document.querySelector('${selector}').getBoundingClientRect();
    return document.elementFromPoint(x + 5, y + 5).closest('#navigation, main')?.id;
  })()`);
const focused = () => page.evaluate<string>('document.activeElement.textContent');

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
const keyIn = (body: unknown): string => z.object({ data: z.object({ key: z.string() }) }).parse(body).data.key;
const statusOf = async (id: string) => (await merchant().call('GET /payments/{id}', { path: { id } })).data.status;

describe('the checkout and the account in the dashboard, in Chromium', () => {
  /** A payment of 500 taka, of which a part is refunded. */
  let paid: string;

  it('refunds a payment in part, names the amount before it does, and refunds once when a person goes back after a lost answer and asks again', async () => {
    const id = await pay(500_00);
    paid = id;
    await until(() => statusOf(id)).toBe('SUCCEEDED');
    await open('/payments?mode=test');
    await expectGood(page);
    await page.getByRole('link', { name: /500\.00/ }).click();
    await press('Refund');
    await fill('Amount in BDT', '600');
    await pressInDialog('Continue');
    await dialog().getByText('must be between 0.01 and 500.00').first().waitFor();
    await fill('Amount in BDT', '120.50');
    // Who presses the key twice, or holds it down, has not read the amount.
    await dialog().getByRole('button', { name: 'Continue' }).press('Enter');
    await until(focused).toBe('Cancel');
    await dialog()
      .getByText(/goes back to the payer/)
      .waitFor();
    await expectGood(page);
    await losingAnswers('**/refunds', async () => {
      await pressInDialog(/^Refund .*120\.50$/);
      await dialog().getByRole('alert').waitFor();
    });
    expect(complaints.splice(0).filter((line) => !/ERR_FAILED .*\/refunds$/.test(line))).toEqual([]);
    await pressInDialog('Cancel');
    expect(await dialog().getByLabel('Amount in BDT').inputValue()).toBe('120.50');
    await pressInDialog('Continue');
    await pressInDialog(/^Refund .*120\.50$/);
    await isClosed();
    await until(focused).toBe('Refund');
    await until(async () => (await merchant().call('GET /payments/{id}', { path: { id } })).data.refundedMinor).toBe(
      120_50,
    );
    await page.getByText('379.50').waitFor();
    await expectGood(page);
    await open('/refunds?mode=test');
    await says(/120\.50/);
    await expectGood(page);
  });

  it('asks a person for the result of a refund that its gateway leaves open, and says when it has one meanwhile', async () => {
    const { data: rest } = await merchant().call('POST /payments/{id}/refunds', { path: { id: paid }, body: {} });
    const status = async () => (await merchant().call('GET /refunds/{id}', { path: { id: rest.id } })).data.status;
    await until(status).toBe('SUCCEEDED');
    // The simulator leaves none open: the screen gets this one as if it had.
    const refunds = `**/payments/${paid}/refunds`;
    await page.route(refunds, (route) =>
      route.fulfill({ json: { data: [{ ...rest, orderNumber: '03hazqc1dgkgtre1bm9yz4vye' }] } }),
    );
    await open(`/payments/${paid}?mode=test`);
    await press(/^Settle/);
    await pressInDialog(/^Settle refund of .*379\.50$/);
    await dialog().getByText('choose one').first().waitFor();
    await dialog()
      .getByLabel(/^No money went back/)
      .check();
    await pressInDialog(/^Settle refund of .*379\.50$/);
    await dialog()
      .getByText(/has been settled already/)
      .first()
      .waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await page.unroute(refunds);
    await pressInDialog('Cancel');
    await page.getByRole('cell', { name: 'Succeeded' }).first().waitFor();
    expect(await page.getByRole('button', { name: /^Settle/ }).count()).toBe(0);
  });

  itInFull(
    'shows large sums of money whole on a phone, in the figures of the checkout and beside the axis of its chart',
    async () => {
      await pay(1_234_567_890);
      await page.setViewportSize({ width: 360, height: 740 });
      await open('/checkout?mode=test');
      const received = page.locator('.tile').filter({ hasText: 'Received, BDT' }).locator('.value');
      const height = (await received.boundingBox())?.height ?? 0;
      expect(height).toBeGreaterThan(0);
      expect(height).toBe((await page.locator('.tile .value').first().boundingBox())?.height);
      const labels = await page
        .locator('.chart text')
        .evaluateAll((all) => all.map((text) => text.getBoundingClientRect().x));
      const card = await page.locator('.card:has(.chart)').first().boundingBox();
      expect(Math.min(...labels)).toBeGreaterThan(card?.x ?? 0);
      const drawn = page.locator('.chart > svg').first();
      await until(() => drawn.evaluate((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)).toBe(1);
      const days = await drawn
        .locator('text[text-anchor=middle]')
        .evaluateAll((all) =>
          all.map((text) => text.getBoundingClientRect()).map(({ left, right }) => [left, right] as const),
        );
      expect(days.length).toBeGreaterThan(2);
      for (const [i, [left]] of days.entries()) expect(left).toBeGreaterThan(days[i - 1]?.[1] ?? 0);
      await page.setViewportSize({ width: 1280, height: 860 });
      await expectGood(page);
    },
  );

  /** How many payments of the account are held. */
  const held = async (): Promise<number> =>
    (await stack.admin('GET', `/accounts/${stack.file.accountId}/payments?mark=held`)).body.data.length;

  it('settles a payment that is held for review, once', async () => {
    const id = await pay(700_00, 'tampered_amount');
    await until(held).toBe(1);
    await open('/reviews');
    await page.getByRole('button', { name: new RegExp(`^Review.* ${id.slice(-6)}$`) }).waitFor();
    await expectGood(page);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole('button', { name: /^Review/ }).scrollIntoViewIfNeeded();
    await press('Menu');
    expect(await topmostAt('td.buttons button')).toBe('navigation');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 860 });
    await press(/^Review/);
    await expectGood(page);
    await dialog()
      .getByLabel(/^Refund/)
      .check();
    await fill(/^Amount/, '');
    await pressInDialog('Continue');
    await dialog()
      .getByRole('heading', { name: /^Refund .*700\.01\?$/ })
      .waitFor();
    await dialog().getByText(`Payment ${id}`).waitFor();
    await pressInDialog('Cancel');
    await pressInDialog('Continue');
    await until(focused).toBe('Cancel');
    await page.keyboard.press('Escape');
    await until(focused).toMatch(/^Review/);
    await press(/^Review/);
    await dialog()
      .getByLabel(/^Accept/)
      .check();
    await fill(/^Reason/, 'The gateway shows the right amount.');
    await pressInDialog('Continue');
    await pressInDialog(/^Accept .*700\.00$/);
    await says('No payment is held');
    expect(await statusOf(id)).toBe('SUCCEEDED');
  });

  it('says that a session waits for a payment that may have succeeded, and has not expired, and of the payment that it is held', async () => {
    const id = await pay(710_00, 'tampered_amount');
    await until(held).toBe(1);
    const { data } = await merchant().call('GET /payments/{id}', { path: { id } });
    await open(`/checkout-sessions/${data.checkoutSessionId}?mode=test`);
    await press('Expire now');
    await pressInDialog('Expire now');
    await says('The session ends with the one that is in progress.');
    await until(() => page.locator('dl .status').innerText()).toBe('Open');
    await open(`/payments/${id}?mode=test`);
    await says('The payment is held until');
    await press('Review');
    await dialog().getByRole('link', { name: data.checkoutSessionId }).waitFor();
    await dialog()
      .getByLabel(/^Reject/)
      .check();
    await pressInDialog('Continue');
    expect((await stack.admin('POST', `/payments/${id}/resolution`, { decision: 'reject' })).status).toBe(200);
    await pressInDialog('Reject');
    await dialog().getByRole('alert').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await page.keyboard.press('Escape');
    await says('Failed');
    expect(await page.getByRole('button', { name: 'Review' }).count()).toBe(0);
  });

  it('looks for a held payment no further back than to the payment itself, also where no page has one', async () => {
    const id = await pay(1_002);
    const asked: (string | null)[] = [];
    const cursors = ['ffffffff-0000-7000-8000-000000000000', '00000000-0000-7000-8000-000000000000'];
    await page.route('**/admin/v1/accounts/*/payments?*', async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get('cursor'));
      const cursor = cursors[asked.length - 1] ?? null;
      await route.fulfill({ json: { data: [], states: {}, pagination: { cursor, hasMore: cursor !== null } } });
    });
    await open(`/payments/${id}?mode=test`);
    await says('Nothing was refunded');
    expect(asked).toEqual([null, cursors[0]]);
  });

  it('says that the figures of the checkout leave out older failed refunds', async () => {
    await page.route('**/v1/payments?*', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({
        response,
        json: { data: data.map((paid: object) => ({ ...paid, failureCode: 'surplus' })) },
      });
    });
    await page.route('**/v1/refunds?*', (route) => route.fulfill({ json: { data: Array(2_000).fill({}) } }));
    await open('/checkout?mode=test');
    await says('the latest 2,000 sessions, payments and failed refunds');
    await page.locator('.tile').getByText('Paid, of sessions that ended').waitFor();
  });

  it('makes a publishable key with its limits, shows it once, and revokes it', async () => {
    await open('/checkout-keys');
    await press('Create key');
    await fill('Name', 'Shop page');
    await page.getByLabel('Kind').selectOption('publishable');
    await fill(/^Origins/, 'https://shop.example');
    await fill(/^Highest amount/, '100,000.50');
    await expectGood(page);
    await pressInDialog('Create key');
    await dialog()
      .getByText(/^pk_test_/)
      .waitFor();
    await pressInDialog('Done');
    await says(/https:\/\/shop\.example, up to ৳1,00,000\.50/);
    await press('Revoke Shop page');
    await pressInDialog('Revoke key');
    await says('Revoked');
    await expectGood(page);
  });

  it('shows the callback URLs, and replaces the one for inbound sms with an overlap', async () => {
    await open('/settings');
    const card = page.getByRole('region', { name: 'Callback URLs' });
    const urls = () => card.locator('code').allTextContents();
    const [first = '', whatsapp] = await urls();
    await expectGood(page);
    await card.getByRole('button', { name: 'Replace the URL' }).click();
    await expectGood(page);
    await pressInDialog('Replace URL');
    await isClosed();
    await until(urls).toEqual([expect.not.stringContaining(first), whatsapp]);
    const { body } = await stack.admin('GET', `/accounts/${stack.file.accountId}/callback-urls`);
    expect(await urls()).toEqual([body.data.smsInbound, body.data.whatsapp]);
    const late = JSON.stringify({ id: 'late', from: '+8801700000000', text: 'Hello' });
    expect((await fetch(first, { method: 'POST', body: late })).status).toBe(200);
    await open('/audit-log');
    await says('POST /callback-urls/rotate');
  });

  it('turns payment methods off and on, two at once, beside what a program has changed since, and keeps, changes and removes the Bangla label of one', async () => {
    const path = `/accounts/${stack.file.accountId}/checkout-methods`;
    const read = async (): Promise<Method[]> => (await stack.admin('GET', path)).body.data;
    const before = await read();
    const labels = async () => (await read()).map(({ displayLabelBn }) => displayLabelBn);
    const [off, on] = [/^Turn off/, /^Turn on/].map((name) => page.getByRole('button', { name }));
    if (!off || !on) throw new Error('unreachable');
    await open('/methods?mode=test');
    const shown = await off.count();
    await off.first().click();
    await page.getByText('Off', { exact: true }).waitFor();
    await expectGood(page);

    const wishes = (await read()).map(({ hasCredentials: _, ...wish }) => wish);
    const byProgram = wishes.findLast(({ livemode, enabled }) => !livemode && enabled);
    if (byProgram) byProgram.displayLabel = 'Changed since';
    expect((await stack.admin('PUT', path, wishes)).status).toBe(200);
    const answer = Promise.withResolvers<void>();
    await page.route('**/checkout-methods', async (route) => {
      await answer.promise;
      await route.continue();
    });
    for (const n of [0, 1]) await off.nth(n).click();
    answer.resolve();
    await until(() => on.count()).toBe(3);
    await page.unrouteAll();
    expect((await read()).filter(({ livemode, enabled }) => !livemode && enabled)).toHaveLength(shown - 3);
    for (const left of [2, 1, 0]) {
      await on.first().click();
      await until(() => on.count()).toBe(left);
    }
    expect((await read()).some(({ displayLabel }) => displayLabel === 'Changed since')).toBe(true);

    const [first, ...others] = before.map(({ displayLabelBn }) => displayLabelBn);
    expect(first).toBe('কার্ড (পরীক্ষা)');
    await press(/^Edit/);
    await pressInDialog('Save');
    await isClosed();
    expect(await labels()).toEqual([first, ...others]);
    for (const label of ['কার্ড', '']) {
      await press(/^Edit/);
      await fill(/^Label in Bangla/, label);
      await pressInDialog('Save');
      await isClosed();
      expect(await labels()).toEqual([label || undefined, ...others]);
    }

    await press('Add method');
    await dialog().getByLabel('Label', { exact: true }).fill('x'.repeat(200));
    await pressInDialog('Add method');
    await dialog().getByRole('alert').waitFor();
    expect(await faultOf('Label')).toContain('100');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await page.keyboard.press('Escape');
    await pressInDialog('Discard changes');
  });

  it('keeps what is typed into the settings when a field of it is refused, and when another group is saved, and says beside its field what is wrong with one value of a list', async () => {
    await open('/settings');
    await page.getByLabel('Quiet from').waitFor();
    expect(await page.getByText('In the recipient’s time zone.').count()).toBe(2);
    await says('3600 is an hour, 86400 a day.');
    const quiet = page.getByRole('region', { name: 'When messages may be sent' });
    await quiet.getByLabel('Apply quiet hours').check();
    await quiet.getByLabel('In countries').fill('BD, Nowhere');
    await quiet.getByRole('button', { name: 'Save' }).click();
    await quiet.getByRole('alert').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    expect(await faultOf('In countries')).toContain('must be an ISO 3166 country code');
    const [general, branding, sms] = ['General', 'Branding', 'Sms'].map((name) => page.getByRole('region', { name }));
    if (!general || !branding || !sms) throw new Error('a group of the settings is missing');
    await branding.getByLabel('Support phone').pressSequentially('+8801700000000');
    await sms.getByLabel('Kind').selectOption('non_masked');
    await general.getByLabel('Name', { exact: true }).fill('Demo of a shop');
    await general.getByLabel('Who is notified').fill('nobody');
    await general.getByRole('button', { name: 'Save' }).click();
    await general.getByRole('alert').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    expect(await general.getByLabel('Name', { exact: true }).inputValue()).toBe('Demo of a shop');
    expect(await general.getByLabel('Who is notified').inputValue()).toBe('nobody');
    await general.getByLabel('Name', { exact: true }).fill('Demo');
    await general.getByLabel('Who is notified').fill('');
    await general.getByRole('button', { name: 'Save' }).click();
    await says('The settings are saved');
    expect(await branding.getByLabel('Support phone').inputValue()).toBe('+8801700000000');
    expect(await sms.getByLabel('Kind').inputValue()).toBe('non_masked');
  });

  it('shows the sessions of the checkout to all eyes and on a phone', async () => {
    await open('/checkout-sessions?mode=test');
    await expectGood(page);
  });

  it('lists the requests of the account’s own keys with what they ignored, and those of the dashboard only where they are wanted', async () => {
    const cells = (text: string | RegExp) => page.getByRole('cell', { name: text, exact: true });
    const { checkoutBaseUrl, keys } = stack.file;
    const headers = { authorization: `Bearer ${keys.checkoutSecretTest}` };
    const body = { amountMinor: 1_000, currency: 'BDT', success_url: 'https://shop.example' };
    expect((await request(`${checkoutBaseUrl}/v1/checkout-sessions?page=2`, 'POST', headers, body)).status).toBe(201);
    await open('/requests');
    await until(async () => {
      await press('Refresh');
      return cells(/^POST .* Ignored: page, success_url$/).count();
    }).toBeGreaterThan(0);
    expect(await cells(/^sk_test_/).count()).toBeGreaterThan(0);
    expect(await cells('Dashboard').count()).toBe(0);
    await expectGood(page);
    await page.getByLabel('From').selectOption('dashboard');
    await cells('Dashboard').first().waitFor();
    expect(await cells(/^sk_test_/).count()).toBe(0);
  });

  it('says what a masked sms is, requires one number of credits, adjusts them, and lists the change in the ledger', async () => {
    await open('/credits');
    await says('A masked sms comes from a name');
    await press('Adjust credits');
    await pressInDialog('Adjust credits');
    await dialog().getByText('Email or Masked sms or Other sms: at least one is required').waitFor();
    expect(await dialog().locator('.fault').allInnerTexts()).toEqual(Array(3).fill('at least one is required'));
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await fill('Email (optional)', '25');
    await fill(/^Reason/, 'Invoice 1042');
    await pressInDialog('Adjust credits');
    await says('Invoice 1042');
    await says('+25');
    await expectGood(page);
  });

  it('invites a viewer, who cannot change anything, neither by screen nor by API, sees that the account is frozen, and as its owner saves every group of the settings, of which operators alone set some fields', async () => {
    const { accountId, checkoutBaseUrl } = stack.file;
    const address = `viewer-${accountId}@example.com`;
    await open('/members');
    await press('Invite a member');
    await fill('Email address', address);
    await expectGood(page);
    await pressInDialog('Invite');
    await says(address);
    await expectGood(page);

    await request(`${checkoutBaseUrl}/dashboard/sign-in`, 'POST', {}, { email: address });
    const viewer = await openTab(browser as Browser);
    await viewer.page.goto(await linkMailedTo(stack, address));
    const asViewer = visiting(() => ({ page: viewer.page, stack }), memberUrl);
    for (const [path, action] of [
      ['/members', 'Invite a member'],
      ['/api-keys', 'Create key'],
      ['/contacts', 'Add contact'],
      ['/checkout-keys', 'Create key'],
      ['/webhooks', 'Add webhook'],
      ['/checkout-webhooks', 'Add webhook'],
    ] as const) {
      await asViewer.open(path);
      expect([path, await viewer.page.getByRole('button', { name: action }).count()]).toEqual([path, 0]);
      expect([path, await viewer.page.getByRole('alert').allTextContents()]).toEqual([path, []]);
    }
    await asViewer.open('/settings');
    await viewer.page.getByRole('region', { name: 'Branding' }).waitFor();
    expect(await viewer.page.getByRole('region', { name: 'Callback URLs' }).count()).toBe(0);
    for (const form of ['/templates/new', '/contacts/import']) {
      await asViewer.load(form);
      await asViewer.says('This page does not exist, or you may not see it');
    }
    const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      viewer.page.evaluate(
        async ([url, text, more]) => {
          const answer = await fetch(url, { method: 'POST', body: text, headers: { ...more } });
          return { status: answer.status, body: await answer.json() };
        },
        [path, JSON.stringify(body), headers] as const,
      );
    const admin = `/admin/v1/accounts/${accountId}`;
    expect((await post(`${admin}/api-keys`, { name: 'x', scopes: ['messages:send'] })).status).toBe(403);
    expect((await post(`${admin}/members`, { email: 'x@example.com', role: 'owner' })).status).toBe(403);
    const messaging = await post(`${admin}/access-keys`, { api: 'messaging' });
    const contact = { email: 'x@example.com' };
    expect((await post('/api/v1/contacts', contact, { 'x-api-key': keyIn(messaging.body) })).status).toBe(403);
    const lent = await post(`${admin}/access-keys`, { api: 'checkout', livemode: false });
    const session = { amountMinor: 100, currency: 'BDT' };
    const authorization = `Bearer ${keyIn(lent.body)}`;
    expect((await post('/v1/checkout-sessions', session, { authorization })).status).toBe(403);
    await open('/audit-log');
    await says(address);
    // A key that is lent for reading changes nothing.
    expect(await page.getByText('access-keys').count()).toBe(0);
    await expectGood(page);

    const frozen = 'have frozen this account';
    expect(await viewer.page.getByText(frozen).count()).toBe(0);
    const setStatus = async (status: string) => {
      const group = page.getByRole('region', { name: 'Status', exact: true });
      await group.getByLabel('Status of the account').selectOption(status);
      await group.getByRole('button', { name: 'Save' }).click();
    };
    await open('/settings');
    await setStatus('frozen');
    await says(frozen);
    await asViewer.open('/messages');
    await viewer.page.getByText(frozen).waitFor();
    await expectGood(viewer.page);
    await setStatus('active');
    await until(() => page.getByText(frozen).count()).toBe(0);

    const { data: members } = (await stack.admin('GET', `/accounts/${accountId}/members`)).body;
    const { id } = members.find(({ email }: { readonly email: string }) => email === address);
    expect((await stack.admin('PATCH', `/accounts/${accountId}/members/${id}`, { role: 'owner' })).status).toBe(200);
    await asViewer.open('/settings');
    const groups = viewer.page.getByRole('region').filter({ has: viewer.page.getByRole('button', { name: 'Save' }) });
    await until(() => groups.count()).toBe(6);
    for (const group of await groups.all()) {
      const saved = viewer.page.waitForResponse((answer) => answer.request().method() === 'PATCH');
      await group.getByRole('button', { name: 'Save' }).click();
      expect([await group.getAttribute('aria-label'), (await saved).status()]).toEqual([expect.any(String), 200]);
    }
    expect(await viewer.page.getByLabel('Verified domains').inputValue()).toContain('example.com');
    for (const name of ['email.verifiedDomains', 'sms.sender', 'sms.senderKind'])
      expect([name, await viewer.page.locator(`[name="${name}"]`).isDisabled()]).toEqual([name, true]);
    await expectGood(viewer.page);
    await viewer.context.close();
  });

  it('revokes a session, which is over at once', async () => {
    const lost = await fetch(stack.file.dashboardLoginUrl, {
      redirect: 'manual',
      headers: { 'user-agent': 'The lost phone' },
    });
    const [cookie = ''] = lost.headers.getSetCookie().map((each) => each.split(';')[0]);
    const me = () => request(`${stack.file.checkoutBaseUrl}/admin/v1/me`, 'GET', { cookie });
    expect((await me()).status).toBe(200);
    await open('/../sessions');
    await page.getByText('The lost phone').first().waitFor();
    await expectGood(page);
    await press('Revoke The lost phone');
    await pressInDialog('Revoke session');
    await says('The session was revoked');
    expect((await me()).status).toBe(401);
  });

  it('changes of a contact what was typed, leaves what a program has changed since, and sets its status', async () => {
    const { apiBaseUrl, keys } = stack.file;
    const headers = { 'x-api-key': keys.messaging };
    const sent = { email: 'tagged@example.com', lastName: 'Byron', tags: ['London, city'] };
    const { body } = await request(`${apiBaseUrl}/contacts`, 'POST', headers, sent);
    const url = `${apiBaseUrl}/contacts/${body.data.id}`;
    await stack.admin('PUT', `/contacts/${body.data.id}/consents/email`, { status: 'active' });
    await open(`/contacts/${body.data.id}`);
    await press('Edit');
    await request(url, 'PATCH', headers, { lastName: 'Lovelace' });
    await fill('First name', 'Ada');
    await pressInDialog('Save');
    await isClosed();
    expect((await request(url, 'GET', headers)).body.data).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      tags: ['London, city'],
    });

    await press('Edit');
    const tags = dialog().getByLabel('Tags');
    await tags.fill((await tags.inputValue()).replace(']', ', "vip"]'));
    await pressInDialog('Save');
    await isClosed();
    expect((await request(url, 'GET', headers)).body.data.tags).toEqual(['London, city', 'vip']);
    await press('Edit');
    await tags.fill('poet, vip');
    await pressInDialog('Save');
    await isClosed();
    expect((await request(url, 'GET', headers)).body.data.tags).toEqual(['poet', 'vip']);

    await press('Change status');
    await dialog().getByLabel('Unsubscribed').check();
    await expectGood(page);
    await pressInDialog('Change status');
    await isClosed();
    expect((await request(url, 'GET', headers)).body.data.status).toBe('unsubscribed');
    await page.getByRole('listitem').filter({ hasText: 'Withdrawn' }).waitFor();
  });

  itInFull(
    'changes of a webhook what was typed, leaves its other events and what a program has changed since, and asks for an event where it would get none',
    async () => {
      const sent = { name: 'Orders', url: 'http://127.0.0.1:9/old', events: ['message.sent', 'message.read'] };
      const path = `/webhooks/${(await stack.api('POST', '/webhooks', sent)).body.data.webhook.id}`;
      await open(path);
      const edited = async (change: () => Promise<void>) => {
        await press('Edit');
        await change();
        await pressInDialog('Save');
        await isClosed();
        const { name, url: to, events } = (await stack.api('GET', path)).body.data;
        return { name, url: to, events };
      };
      const asks = () => dialog().locator('.fault').getByText('choose at least one').waitFor();
      const moved = { ...sent, name: 'Shop', url: 'http://127.0.0.1:9/new' };
      const renamed = await edited(async () => {
        await stack.api('PATCH', path, { url: moved.url });
        await fill('Name', moved.name);
      });
      expect(renamed).toEqual(moved);
      const events = ['message.sent', 'message.failed', 'message.read'];
      expect(await edited(() => dialog().getByLabel('message.failed').check())).toEqual({ ...moved, events });

      const byProgram = ['message.sent'];
      const last = await edited(async () => {
        await stack.api('PATCH', path, { events: byProgram });
        await fill('Name', 'Last');
      });
      expect(last).toEqual({ ...moved, name: 'Last', events: byProgram });

      await press('Edit');
      await dialog().getByLabel('message.sent').uncheck();
      await pressInDialog('Save');
      await asks();
      expect((await stack.api('GET', path)).body.data.events).toEqual(byProgram);
      await page.keyboard.press('Escape');
      await pressInDialog('Discard changes');
      // Its own screen reads it again after it was saved, which fails once it is deleted.
      await open('/webhooks');
      await stack.api('DELETE', path);
      await press('Add webhook');
      await fill('Name', 'Of none');
      await fill('URL', sent.url);
      for (const check of await dialog().getByRole('checkbox').all()) await check.uncheck();
      await pressInDialog('Add webhook');
      await asks();
      await page.keyboard.press('Escape');
      await pressInDialog('Discard changes');
    },
  );

  it('says that a page does not exist whose address is not encoded well', async () => {
    await page.goto(`${stack.file.checkoutBaseUrl}/dashboard/%E0%A4%A/a/b/c`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  it('says that a person may still be signed in when a sign-out has no answer, and leaves where the session has ended already', async () => {
    await open('/../sessions');
    await page.route('**/admin/v1/sign-out', (route) => route.abort());
    await press('Sign out');
    await says('You may still be signed in.');
    const ended = { error: { code: 'unauthorized', message: 'The session has ended.' } };
    await page.route('**/admin/v1/sign-out', (route) => route.fulfill({ status: 401, json: ended }));
    await press('Sign out');
    await page.waitForURL('**/dashboard/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('still signed in').count()).toBe(0);
    await page.unrouteAll();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED'), expect.stringContaining('401')]);
  });

  it('shows the operators of the platform to all eyes and on a phone', async () => {
    await open('/../operators');
    await expectGood(page);
  });

  itInFull(
    'leads from a change in the audit log of the platform to its account, and names none where it has none; a long name of an account without spaces fits a phone',
    async () => {
      const { body } = await stack.admin('POST', '/accounts', { name: 'x'.repeat(200) });
      const { id } = body.data;
      await stack.admin('POST', `/accounts/${id}/api-keys`, { name: 'x', scopes: ['messages:send'] });
      await stack.admin('POST', '/operator-tokens', { name: 'Audited' });
      await open('/../audit-log');
      const rows = page.getByRole('row');
      const inAccount = rows.filter({ hasText: 'POST /api-keys/' }).first().locator('[data-label=Account]');
      const ofItsCreation = rows.filter({ hasText: `POST /accounts/${id}` }).locator('[data-label=Account]');
      const ofPlatform = rows.filter({ hasText: 'POST /operator-tokens' }).first().locator('[data-label=Account]');
      expect(await ofPlatform.innerText()).toBe('');
      expect(await ofItsCreation.innerText()).toBe(id);
      expect(await inAccount.innerText()).toBe(id);
      await expectGood(page);
      await inAccount.getByRole('link').click();
      await page.getByRole('heading', { name: 'x'.repeat(200) }).waitFor();
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Branding' }).waitFor();
      await settled(page);
      await expectNarrow(page);
    },
  );

  it('makes the browser complain of nothing', () => {
    expect(complaints).toEqual([]);
  });
});
