import type { Browser, Dialog, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from './browser.ts';
import {
  expectGood,
  inOneTab,
  itInFull,
  linkMailedTo,
  openTab,
  settled,
  textHeightIn,
  until,
  visiting,
} from './dashboard-visit.ts';
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

const { open, press, dialog, pressInDialog, fill, says } = visiting(() => ({ page, stack }));

/** Closes the dialog: the browser hides it some time before the screen knows. */
const pressEscape = async (): Promise<void> => {
  await page.keyboard.press('Escape');
  await until(() => page.locator('dialog').count()).toBe(0);
};

/** Holds back the calls of this URL and method. Returns how to let them go. */
const holding = async (url: string, method: string, act: () => Promise<void>) => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  await act();
  await asked.promise;
  return answer.resolve;
};

/** A viewer of a new account with this name, to whom a sign-in link is mailed. `own`: the path of their membership. */
const addMember = async (name: string, address?: string) => {
  const { id } = (await stack.admin('POST', '/accounts', { name })).body.data;
  const email = address ?? `viewer-${id}@example.com`;
  const added = await stack.admin('POST', `/accounts/${id}/members`, { email, role: 'viewer' });
  await request(`${stack.file.checkoutBaseUrl}/dashboard/sign-in`, 'POST', {}, { email });
  return { id, email, own: `/accounts/${id}/members/${added.body.data.id}` };
};

describe('a screen of the dashboard while something changes elsewhere, in Chromium', () => {
  itInFull('keeps a message that it follows when the network fails in between, and follows it further', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const message = { channel: 'email', to: 'followed@example.com', subject: 'Hi', text: 'Hi', sendAt: inAnHour };
    const { body } = await stack.api('POST', '/messages', message);
    await open(`/messages/${body.data.id}`);
    await page.route('**/api/v1/messages/**', (route) => route.abort());
    await says('The server cannot be reached');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.unrouteAll();
    await until(() => page.getByRole('alert').count()).toBe(0);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect((await stack.api('DELETE', `/messages/${body.data.id}`)).status).toBe(204);
  });

  itInFull(
    'saves of a template only what was changed, and leaves what somebody else has changed meanwhile',
    async () => {
      const made = await stack.api('POST', '/templates', { channel: 'sms', name: 'Code', textContent: 'Old {{code}}' });
      const path = `/templates/${made.body.data.id}`;
      await open(path);
      await page.getByLabel('Text').waitFor();
      const others = { textContent: 'New {{code}} of {{shop}}', variables: ['code', 'shop'] };
      expect((await stack.api('PATCH', path, others)).status).toBe(200);
      await page.getByLabel('Name').fill('Codes');
      await press('Save');
      await says('The template was saved');
      await until(() => page.getByLabel('Text').inputValue()).toBe(others.textContent);
      const kept = async () => (await stack.api('GET', path)).body.data;
      expect(await kept()).toMatchObject({ name: 'Codes', variables: ['code', 'shop'] });
      expect((await stack.api('PATCH', path, { variables: ['code', 'shop', 'later'] })).status).toBe(200);
      await page.getByLabel('Text').fill('{{shop}}: {{number}}');
      await press('Save');
      await until(kept).toMatchObject({ variables: ['shop', 'later', 'number'] });
    },
  );

  it('shows a session as it is after it could not be expired, because it has been paid meanwhile', async () => {
    const { checkoutBaseUrl, keys } = stack.file;
    const authorization = `Bearer ${keys.checkoutSecretTest}`;
    const order = { amountMinor: 100, currency: 'BDT' };
    const { body } = await request(`${checkoutBaseUrl}/v1/checkout-sessions`, 'POST', { authorization }, order);
    const { id, eligibleMethods } = body.data;
    await open(`/checkout-sessions/${id}?mode=test`);
    await press('Expire now');
    const { acceptanceMethodId } = eligibleMethods[0];
    const payments = `${checkoutBaseUrl}/v1/public/checkout-sessions/${id}/payments`;
    expect((await request(payments, 'POST', {}, { acceptanceMethodId })).status).toBe(201);
    await pressInDialog('Expire now');
    await dialog().getByRole('alert').waitFor();
    await pressEscape();
    await says('Completed');
  });

  /** A viewer of a new account, in a tab that opens the API keys as soon as there is a link to them. */
  const joined = async () => {
    const { id, email, own } = await addMember('Before', 'someone.rather.long@shop.example');
    const { page: tab } = await openTab(browser as Browser);
    await tab.addInitScript(`
      window.shown = [];
      new MutationObserver((_, observer) => {
        window.shown.push(document.querySelector('h1')?.textContent);
        const link = [...document.querySelectorAll('nav a')].find((each) => each.textContent === 'API keys');
        if (!link) return;
        observer.disconnect();
        link.click();
      }).observe(document, { childList: true, subtree: true });
    `);
    const opened = async (name: string) => {
      await tab.getByRole('heading', { name, level: 1 }).waitFor();
      await settled(tab);
    };
    await tab.goto(await linkMailedTo(stack, email));
    await opened('API keys');
    return { tab, opened, id, own };
  };

  let joiner: Awaited<ReturnType<typeof joined>> | undefined;

  it('opens the screen that a person asks for as soon as there is a link to it, shows none before that is not found, is lent one key for all calls of a screen whose key another person has ended, and shows of an account that has sent nothing how to begin', async () => {
    joiner = await joined();
    const { tab, opened, own } = joiner;
    expect(await tab.evaluate('window.shown')).not.toContain('Not found');
    await tab.getByRole('link', { name: 'Home', exact: true }).click();
    await opened('Before');
    await tab.getByRole('link', { name: 'API keys', exact: true }).click();
    await opened('API keys');
    expect((await stack.admin('PATCH', own, { role: 'developer' })).status).toBe(200);
    const lent: (string | null)[] = [];
    tab.on('request', (sent) => {
      if (sent.url().endsWith('/access-keys')) lent.push(sent.postData());
    });
    await tab.getByRole('link', { name: 'Home' }).click();
    await opened('Before');
    expect(lent).toEqual(['{"api":"messaging"}']);

    await tab.getByText('No messages in these days').waitFor();
    expect(await tab.locator('.tile .value').allInnerTexts()).toEqual(['0', '–', '–', '0', '0', '0']);
    await tab.locator('#navigation').getByText('Times: Asia/Dhaka').waitFor();
    await expectGood(tab);
    await tab.getByRole('link', { name: 'Create an API key' }).click();
    await tab.getByRole('button', { name: 'Create key' }).first().waitFor();
  });

  it('shows what another person did to one’s role and account on the next screen, what one did oneself at once, and breaks no role or address of a list in its middle while another column has room', async () => {
    if (!joiner) throw new Error('the test before has not joined');
    const { tab, id, own } = joiner;
    const account = () => tab.locator('p.account').innerText();
    const invite = (email: string, role: string) => stack.admin('POST', `/accounts/${id}/members`, { email, role });
    const longAddress = `${'a'.repeat(60)}@${'department.'.repeat(6)}example.com`;
    expect((await invite(longAddress, 'developer')).status).toBe(201);
    expect((await invite(`other-${id}@example.com`, 'owner')).status).toBe(201);
    await stack.admin('PATCH', `/accounts/${id}`, { name: 'After' });
    expect((await stack.admin('PATCH', own, { role: 'viewer' })).status).toBe(200);
    await tab.getByRole('link', { name: 'Templates' }).click();
    await tab.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    await until(account).toBe('After');
    await until(() => tab.getByRole('link', { name: 'Create template' }).count()).toBe(0);
    await tab.getByRole('link', { name: 'Members' }).click();
    await tab.getByRole('cell', { name: 'Developer' }).waitFor();
    expect(await textHeightIn(tab, 'Role')).toBeLessThan(30);

    expect((await stack.admin('PATCH', own, { role: 'owner' })).status).toBe(200);
    await tab.getByRole('link', { name: 'Settings' }).click();
    const general = tab.getByRole('region', { name: 'General' });
    await general.getByRole('button', { name: 'Save' }).waitFor();
    await general.getByLabel('Who is notified').fill('typed@example.com');
    await general.getByLabel('Name').fill('Own name');
    await general.getByRole('button', { name: 'Save' }).click();
    await until(account).toBe('Own name');
    expect(await general.getByLabel('Who is notified').inputValue()).toBe('typed@example.com');
    const resend = `/admin/v1/accounts/${id}/webhooks/${id}/deliveries/${id}/resend`;
    await tab.evaluate(`fetch('${resend}', { method: 'POST' }).then(() => undefined)`);
    await tab.getByRole('link', { name: 'Audit log' }).click();
    await tab.getByText('/resend').waitFor();
    expect(await textHeightIn(tab, 'Who')).toBeLessThan(30);
    await tab.getByRole('link', { name: 'Members' }).click();
    await tab.getByRole('button', { name: 'Change role of someone.rather.long' }).click();
    await tab.getByRole('dialog').getByLabel('Viewer').check();
    await tab.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await until(() => tab.getByRole('button', { name: 'Invite a member' }).count()).toBe(0);
    await tab.context().close();
  });

  it('asks before another version of a template takes the place of what was typed, and keeps the rest when it is saved', async () => {
    const template = { channel: 'email', name: 'Typed', subject: 'First {{name}}', textContent: 'Hello' };
    const { body } = await stack.api('POST', '/templates', template);
    await open(`/templates/${body.data.id}`);
    const [subject, value] = [page.getByLabel('Subject'), page.getByLabel('name', { exact: true })];
    await value.fill('Ada');
    await fill('Subject', 'Second {{name}}');
    await press('Save');
    await says('Version 2');
    expect(await value.inputValue()).toBe('Ada');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Save');

    await fill('Subject', 'Third {{name}}');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    await dialog().getByText('Discard your changes?').waitFor();
    await pressEscape();
    expect(await subject.inputValue()).toBe('Third {{name}}');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    await pressInDialog('Discard changes');
    await says('The editor has version 1.');
    await until(() => subject.inputValue()).toBe('First {{name}}');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Shown');
    await press('Show');
    await until(() => subject.inputValue()).toBe('Second {{name}}');
    expect(await dialog().count()).toBe(0);
  });

  itInFull(
    'keeps what was typed while a new template was created, as a change of it, and asks before another version takes the place of what was typed while it was saved',
    async () => {
      await open('/templates/new');
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await page.route('**/api/v1/templates', async (route) => {
        asked.resolve();
        await answer.promise;
        await route.continue();
      });
      await fill('Name', 'Typed on at once');
      await page.getByLabel('Channel').selectOption('sms');
      await fill('Text', 'First');
      await press('Create template');
      await asked.promise;
      await fill('Text', 'Second');
      answer.resolve();
      await says('The template was created');
      await page.unrouteAll();
      expect(await page.getByLabel('Text').inputValue()).toBe('Second');
      await press('Save');
      await says('Version 2');
      expect(await page.getByLabel('Text').inputValue()).toBe('Second');
      const { body } = await stack.api('GET', '/templates');
      expect(body.data.filter(({ name }: { name: string }) => name === 'Typed on at once')).toHaveLength(1);

      await fill('Text', 'Third');
      const save = await holding('**/api/v1/templates/*', 'PATCH', () => press('Save'));
      await fill('Text', 'Fourth');
      save();
      await says('Version 3');
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Show', exact: true }).first().click();
      await dialog().getByText('Discard your changes?').waitFor({ timeout: 20_000 });
      await pressEscape();
      expect(await page.getByLabel('Text').inputValue()).toBe('Fourth');
      await page.getByRole('button', { name: 'Show', exact: true }).first().click();
      await pressInDialog('Discard changes');
    },
  );

  itInFull(
    'leaves the screen as it is when the answer comes after its dialog was closed, and says what has happened',
    async () => {
      await open('/contacts');
      await press('Add contact');
      await fill('Email address', 'late@example.com');
      const addContact = await holding('**/api/v1/contacts', 'POST', () => pressInDialog('Add contact'));
      await pressEscape();
      await page.getByRole('link', { name: 'Members' }).click();
      await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
      addContact();
      await says('The contact was added');
      expect(new URL(page.url()).pathname).toMatch(/\/members$/);
      await page.unrouteAll();

      await open('/contacts');
      await press('Add contact');
      await fill('Email address', 'late-on-its-list@example.com');
      const addAnother = await holding('**/api/v1/contacts', 'POST', () => pressInDialog('Add contact'));
      await pressEscape();
      addAnother();
      await page.getByRole('link', { name: 'late-on-its-list@example.com' }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/\/contacts$/);

      const hook = { name: 'Late', url: 'http://127.0.0.1:9/hooks', events: ['message.sent'] };
      const { webhook } = (await stack.api('POST', '/webhooks', hook)).body.data;
      await open(`/webhooks/${webhook.id}`);
      await press('Edit');
      await fill('Name', 'Renamed');
      const rename = await holding(`**/api/v1/webhooks/${webhook.id}`, 'PATCH', () => pressInDialog('Save'));
      await pressEscape();
      await press('Rotate secret');
      await pressInDialog('Rotate secret');
      await dialog().locator('.secret').waitFor();
      rename();
      await until(() => page.locator('h1').innerText()).toBe('Renamed');
      expect(await dialog().locator('.secret').isVisible()).toBe(true);
      await pressInDialog('Done');
    },
  );

  it('says what was refused also when the answer comes after its dialog was closed', async () => {
    await open('/members');
    await press('Invite a member');
    const invite = await holding('**/members', 'POST', async () => {
      await fill('Email address', 'not-an-address@example');
      await pressInDialog('Invite');
    });
    await pressEscape();
    invite();
    await says('Invite: Email address: must be an email address');
  });

  it('asks before a link or the way back leads away from what was typed and not saved', async () => {
    await open('/templates');
    await page.getByRole('link', { name: 'Settings' }).click();
    const general = page.getByRole('region', { name: 'General' });
    const [name, save] = [general.getByLabel('Name'), general.getByRole('button', { name: 'Save' })];
    const before = await name.inputValue();
    await name.fill('Typed only');
    await page.getByRole('link', { name: 'Templates' }).click();
    await dialog().getByText('Discard your changes?').waitFor();
    await pressEscape();
    await page.goBack();
    await dialog().getByText('Discard your changes?').waitFor();
    await pressEscape();
    expect(new URL(page.url()).pathname).toMatch(/\/settings$/);
    expect(await name.inputValue()).toBe('Typed only');
    await page.getByRole('link', { name: 'Templates' }).click();
    await pressInDialog('Discard changes');
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    expect(await dialog().count()).toBe(0);

    await page.getByRole('link', { name: 'Settings' }).click();
    await name.fill('Typed only');
    await page.goBack();
    await pressInDialog('Discard changes');
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
    // The list is the step before the form, and none of its own.
    await page.goForward();
    await until(() => name.inputValue()).toBe(before);
    await name.fill(before);
    await save.click();
    await says('The settings are saved');
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
  });

  it('lets no page, of another site or of ours, make a person somebody else, who may sign out, follow the link again, and leave the accounts that another person put them into, also who tries again after no answer came, although the first try was done', async () => {
    const { page: tab, context } = await openTab(browser as Browser);
    await tab.goto(stack.file.dashboardLoginUrl);
    const { email } = await addMember('Somebody else');
    const { id } = (await stack.admin('POST', '/accounts', { name: 'Not mine either' })).body.data;
    const added = await stack.admin('POST', `/accounts/${id}/members`, { email, role: 'viewer' });
    const link = await linkMailedTo(stack, email);
    // `localhost` and `127.0.0.1` are sites of their own.
    const otherSite = stack.file.docsUrl.replace('localhost', '127.0.0.1');
    for (const site of [stack.file.docsUrl, otherSite]) {
      await tab.goto(site);
      await tab.evaluate(`location.assign(${JSON.stringify(link)})`);
      await tab.getByRole('heading', { name: 'This link is for another person' }).waitFor();
    }
    await expectGood(tab);
    await tab.getByRole('link', { name: 'Stay signed in' }).click();
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await tab.getByText(email).count()).toBe(0);
    await tab.goto(otherSite);
    await tab.evaluate(`location.assign(${JSON.stringify(link)})`);
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByRole('button', { name: 'Email me a link' }).waitFor();
    await tab.goto(otherSite);
    await tab.evaluate(`location.assign(${JSON.stringify(link)})`);
    await tab.getByText(email).first().waitFor();

    const beginToLeave = async (name: string): Promise<void> => {
      await tab.getByRole('heading', { name, level: 1 }).waitFor();
      await tab.getByRole('link', { name: 'Members' }).click();
      await tab.getByRole('button', { name: 'Leave' }).click();
      await tab.getByRole('heading', { name: `Leave ${name}?` }).waitFor();
    };
    const leave = tab.getByRole('button', { name: 'Leave account' });
    await beginToLeave('Somebody else');
    await expectGood(tab);
    await leave.click();
    await tab.getByText('You have left Somebody else').waitFor();

    await beginToLeave('Not mine either');
    await tab.route('**/admin/v1/accounts/*/members/*', (route) => route.abort());
    await leave.click();
    await tab.getByText('The server cannot be reached').waitFor();
    expect((await stack.admin('DELETE', `/accounts/${id}/members/${added.body.data.id}`)).status).toBe(204);
    await tab.unrouteAll();
    await leave.click();
    await tab.getByText('You have left Not mine either').waitFor();
    await tab.getByText('You are not a member of an account').waitFor();
    await context.close();
  });

  it('acts in the name of the person who has signed in in another tab since, and begins anew unless the person keeps what they typed', async () => {
    const { id } = (await stack.admin('POST', '/accounts', { name: 'Shared' })).body.data;
    const { page: tab, context } = await openTab(browser as Browser);
    const other = await context.newPage();
    const [first = '', second = '', third = ''] = [1, 2, 3].map((n) => `person-${n}-${id}@example.com`);
    for (const email of [first, second, third])
      expect((await stack.admin('POST', `/accounts/${id}/members`, { email, role: 'developer' })).status).toBe(201);
    const signIn = async (email: string, where: Page) => {
      await request(`${stack.file.checkoutBaseUrl}/dashboard/sign-in`, 'POST', {}, { email });
      await where.goto(await linkMailedTo(stack, email));
      await where.getByText(email).waitFor();
    };
    await signIn(first, tab);
    await tab.getByRole('link', { name: 'Contacts' }).click();
    await tab.getByRole('button', { name: 'Add contact' }).first().click();
    await tab.getByLabel('Email').fill('typed@example.com');
    const questions: string[] = [];
    tab.on('dialog', async (question) => {
      questions.push(question.type());
      await question.dismiss();
    });
    await signIn(second, other);
    await tab.locator('footer').getByText(second).waitFor();
    await until(() => questions).toEqual(['beforeunload']);
    await tab.getByRole('dialog').getByRole('button', { name: 'Add contact' }).click();
    await tab.getByText('The contact was added').waitFor();
    const { data } = (await stack.admin('GET', `/accounts/${id}/audit-log`)).body;
    const added = data.find(({ action }: { readonly action: string }) => action === 'POST /api/v1/contacts');
    expect(added).toMatchObject({ actor: { email: second } });

    await tab.evaluate('window.isBefore = true');
    await signIn(third, other);
    await until(() => tab.evaluate('window.isBefore').catch(() => true)).toBeUndefined();
    await tab.locator('footer').getByText(third).waitFor();
    await context.close();
  });

  itInFull(
    'goes on with an import while a person looks at another screen, shows it again, and asks before the page is closed',
    async () => {
      await open('/contacts/import');
      const rows = ['email', ...Array.from({ length: 300 }, (_, n) => `goes-on-${n}@example.com`), 'none'].join('\n');
      const file = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) };
      const goOn = await holding('**/contacts/bulk', 'POST', () => page.getByLabel('CSV file').setInputFiles(file));
      await page.getByRole('link', { name: 'Templates' }).click();
      await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
      await press('Sign out');
      await dialog().getByText('Stop the import?').waitFor();
      await pressEscape();
      const questions: string[] = [];
      page.once('dialog', async (question) => {
        questions.push(question.type());
        await question.dismiss();
      });
      await page.evaluate("location.assign('/docs')");
      await until(() => questions).toEqual(['beforeunload']);
      await page.getByRole('link', { name: 'Contacts' }).click();
      await page.getByRole('link', { name: 'Import' }).click();
      await says('0 of 301 rows…');
      expect(await page.getByLabel('CSV file').isDisabled()).toBe(true);
      goOn();
      await says('The import is complete.');
      await says('300 created');
      await page.getByRole('link', { name: 'Templates' }).click();
      await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('cell', { name: '302' }).waitFor();
    },
  );

  itInFull(
    'shows each contact once when another was added between two pages of the list, and the way back leads to the row that was open',
    async () => {
      const email = (n: number) => `page-${n}@example.com`;
      const contacts = Array.from({ length: 30 }, (_, n) => ({ email: email(n), tags: ['paged'] }));
      await stack.api('POST', '/contacts/bulk', { contacts });
      await open('/contacts?tags=paged');
      await stack.api('POST', '/contacts', { email: 'added@example.com', tags: ['paged'] });
      await press('Load more');
      await page.getByRole('link', { name: email(0), exact: true }).waitFor();
      const shown = () => page.locator('tbody a').allInnerTexts();
      expect((await shown()).sort()).toEqual(contacts.map((contact) => contact.email).sort());

      const opened = page.getByRole('link', { name: email(1), exact: true });
      const byLink = async (): Promise<void> => {
        await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
        expect(await page.evaluate('document.activeElement.textContent')).toBe(email(1));
        await page.getByRole('link', { name: '← Contacts' }).click();
      };
      for (const comeBack of [() => page.goBack(), byLink]) {
        await opened.scrollIntoViewIfNeeded();
        const [rows, place] = [await shown(), await page.evaluate('scrollY')];
        expect(place).toBeGreaterThan(0);
        await opened.click();
        await page.getByRole('heading', { name: email(1), level: 1 }).waitFor();
        const answer = await holding('**/api/v1/contacts?*', 'GET', async () => void (await comeBack()));
        // Not what the list had before: since then, rows may be gone, and the session over.
        expect(await shown()).toEqual([]);
        answer();
        await settled(page);
        await page.unrouteAll();
        expect(await shown()).toEqual(expect.arrayContaining(rows));
        expect(await page.evaluate('scrollY')).toBe(place);
        expect(await page.evaluate('document.activeElement.textContent')).toBe(email(1));
      }
      expect(await shown()).toContain('added@example.com');
    },
  );

  itInFull(
    'says where a search for an account has not looked through all of them, and leads to the rest of its search',
    async () => {
      await open('/contacts');
      await page.route('**/admin/v1/accounts?*', (route) =>
        route.fulfill({ json: { data: [], pagination: { cursor: stack.file.accountId, hasMore: true } } }),
      );
      await press(/Switch account/);
      await fill('Search accounts', 'Late & last');
      await says('Nothing found so far.');
      expect(await page.getByText('No account has this name').count()).toBe(0);
      await expectGood(page);
      await dialog().getByRole('link', { name: 'Search the rest of the accounts' }).click();
      await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
      expect(new URL(page.url()).searchParams.get('search')).toBe('Late & last');
      await page.getByRole('button', { name: 'Load more' }).waitFor();
    },
  );

  it('shows an operator the new name of an account that they give it, and in its lists no rows of the account that was open before', async () => {
    const { createdAt } = (await stack.admin('POST', '/accounts', { name: 'Another account' })).body.data;
    await stack.api('POST', '/contacts', { email: 'of-the-first@example.com' });
    await open('/contacts');
    await says('of-the-first@example.com');
    await press(/Switch account/);
    await expectGood(page);
    await fill('Search accounts', 'Another account');
    await dialog()
      .getByRole('link', { name: `Another account since ${createdAt.slice(0, 10)}` })
      .click();
    await page.getByRole('heading', { name: 'Another account', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Contacts' }).click();
    await says('No contacts yet');
    await page.locator('a.skip').press('Enter');
    await page.getByRole('link', { name: 'Settings' }).click();
    const general = page.getByRole('region', { name: 'General' });
    await general.getByLabel('Name').fill('After');
    await general.getByRole('button', { name: 'Save' }).click();
    await until(() => page.locator('button.account .name').innerText()).toBe('After');
    expect(await general.getByLabel('Name').inputValue()).toBe('After');
    const answer = await holding('**/api/v1/contacts?*', 'GET', async () => void (await page.goBack()));
    await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
    answer();
    await says('No contacts yet');
  });

  it('asks before a sign-out leaves what was typed and not saved, once', async () => {
    const asked: string[] = [];
    const accept = async (question: Dialog) => {
      asked.push(question.type());
      await question.accept();
    };
    await open('/templates/new');
    page.on('dialog', accept);
    await fill('Text', 'Typed only');
    await press('Sign out');
    await dialog().getByText('Discard your changes?').waitFor();
    await pressInDialog('Cancel');
    expect(await page.getByLabel('Text').inputValue()).toBe('Typed only');
    await press('Sign out');
    await pressInDialog('Discard changes');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    page.off('dialog', accept);
    expect(asked).toEqual([]);
  });
});
