import { beforeAll, describe, expect, it } from 'vitest';
import { runbook } from '../../../shared/docs/runbook.ts';
import { pageFaults, visitBundled } from '../bundled-page-fixture.ts';

let page: Awaited<ReturnType<typeof visitBundled>>;
beforeAll(async () => {
  page = await visitBundled('docs/show-runbook');
});

describe('GET /docs/runbook', () => {
  it('200 shows an accessible page of under 30 KB that loads nothing', () => {
    expect(page.status).toBe(200);
    expect(page.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(pageFaults(page.text)).toEqual([]);
    expect(Buffer.byteLength(page.text)).toBeLessThan(30_000);
  });

  it.each(Object.keys(runbook))('says of %s what it means, what to look at and what to run', (anchor) => {
    const section = page.text.split('<h2 ').find((part) => part.startsWith(`id="${anchor}"`)) ?? '';
    for (const part of ['What it means', 'What to look at', 'What to run'])
      expect(section).toContain(`<dt>${part}</dt>`);
  });
});
