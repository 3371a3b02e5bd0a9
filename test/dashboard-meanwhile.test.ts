import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBrowser } from './browser.ts';
import { openTab, until, visiting } from './dashboard-visit.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

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

const { open, says } = visiting(() => ({ page, stack }));

describe('a screen of the dashboard while something changes elsewhere, in Chromium', () => {
  it('keeps a message that it follows when the network fails in between, and follows it further', async () => {
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
});
